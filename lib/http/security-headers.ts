import { isDevelopment } from '@/lib/config/development';

/**
 * The policy of every page: nothing from elsewhere, no script without the page's nonce. wasm is for the PDF viewer's
 * image decoders; style attributes are what charts and virtual lists position with.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    // React's development build uses eval to rebuild stacks of the server; the product never does.
    `script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
