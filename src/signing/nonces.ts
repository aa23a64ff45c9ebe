// Creates and recognises nonces: at least 16 random bytes in base64url without padding (spec 5).

import { randomFillSync } from 'node:crypto'

/** A new nonce of 16 bytes; random bytes, which are not secret here, are fetched for many nonces at once. */
export function createNonce(): string {
  if (used + NONCE_BYTES > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const start = used
  used += NONCE_BYTES
  return pool.toString('base64url', start, used)
}

/** Whether a text is a nonce; an upper bound keeps a replay store's rows small. */
export function isNonce(text: string): boolean {
  return NONCE.test(text) && text.length % 4 !== 1
}

const NONCE_BYTES = 16
const NONCE = /^[A-Za-z0-9_-]{22,256}$/
const pool = Buffer.alloc(NONCE_BYTES * 256)
let used = pool.length
