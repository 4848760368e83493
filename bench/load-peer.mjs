/**
 * Loads a package of this folder's own. It is plain JavaScript and no part of a bundle, because from here, and only from
 * here, Node finds `bench/node_modules`: nothing of it is among the product's dependencies.
 * @param {string} name
 * @returns {Promise<unknown>}
 */
export function loadPeer(name) {
  return import(name);
}
