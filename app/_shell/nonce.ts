import { setNonce } from 'get-nonce';

/**
 * Lets the scroll lock of dialogs add its one style under our policy. Read from the document and not handed down: after
 * a soft navigation the server would know a newer nonce than the one the document was loaded with.
 */
export function adoptDocumentNonce() {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
  if (nonce) setNonce(nonce);
}
