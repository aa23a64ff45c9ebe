// Keys that are displayed once and stored hashed. They hold 256 random bits, so one round of SHA-256 is enough:
// there is no dictionary to try.

import { hash, randomBytes } from 'node:crypto'

export interface NewApiKey {
  /** The whole key: displayed to its owner once, never stored. */
  key: string
  keyHash: string
  /** The first characters, to recognise a key in a list. */
  hint: string
}

export function createApiKey(prefix: string): NewApiKey {
  return describeApiKey(`${prefix}${randomBytes(32).toString('base64url')}`)
}

/** For a key that was chosen elsewhere, such as a fixed demo key. */
export function describeApiKey(key: string): NewApiKey {
  return { key, keyHash: hashApiKey(key), hint: key.slice(0, 8) }
}

export function hashApiKey(key: string): string {
  return hash('sha256', key, 'base64url')
}
