// Build settings only. Headers that need a nonce per request are set in proxy.ts, those of the API in lib/http.
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '');

/** @type {import('next').NextConfig} */
const nextConfig = {
  output: 'standalone',
  // Named, or a lock file in a folder above would be taken for the project's.
  outputFileTracingRoot: root,
  turbopack: { root },
  // `npm run check` does it, over more than the app; at a start it would only cost time.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  // Native code, wasm or worker threads of their own: loaded from node_modules as they are.
  serverExternalPackages: ['pg', 'pino', 'thread-stream', 'prom-client', 'exceljs', '@fastify/busboy'],
  async headers() {
    return [
      {
        source: '/:path*',
        headers: [
          { key: 'X-Content-Type-Options', value: 'nosniff' },
          { key: 'Referrer-Policy', value: 'same-origin' },
          { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
          {
            key: 'Permissions-Policy',
            value: 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
          },
        ],
      },
    ];
  },
};

export default nextConfig;
