// What is measured, in the order of the page.

/** @type {Record<string, () => Promise<{ measure: (options: { isQuick: boolean }) => Promise<unknown> }>>} */
export const PATHS = {
  sign: () => import('./paths/sign.mjs'),
  deliver: () => import('./paths/deliver.mjs'),
  receive: () => import('./paths/receive.mjs'),
  'look-up': () => import('./paths/look-up.mjs'),
  call: () => import('./paths/call.mjs'),
  search: () => import('./paths/search.mjs'),
  creative: () => import('./paths/creative.mjs'),
  start: () => import('./paths/start.mjs'),
}
