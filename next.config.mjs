// Build settings only. Headers that need a nonce per request are set in proxy.ts, those of the API in lib/http.

/** @type {import('next').NextConfig} */
const nextConfig = {
  output: 'standalone',
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
