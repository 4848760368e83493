// Build settings only. Headers that need a nonce per request are set in proxy.ts, those of the API in lib/http.
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '');

// Matched anywhere in a path, so a plain name such as `lib` would take packages apart.
const NOT_SERVED = [
  '.git',
  '.tickmark',
  // Builds of before: each would hold all that came before it.
  'dist/app-*',
  'bench/node_modules',
  'playwright-report',
  'test-results',
  'node_modules/@img',
  'node_modules/sharp',
].map((folder) => `${folder}/**/*`);

/** @type {import('next').NextConfig} */
const nextConfig = {
  output: 'standalone',
  // Named, or a lock file in a folder above would be taken for the project's.
  outputFileTracingRoot: root,
  turbopack: { root },
  // Paths that are put together at run time make the tracer take the whole checkout along, a data folder included.
  outputFileTracingExcludes: { '/*': NOT_SERVED },
  // No image is optimised here; it would bring a native library into the server.
  images: { unoptimized: true },
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
