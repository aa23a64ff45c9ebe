// The value of a secret flag of `adwire receive`: the secret itself, or `@` and the file that contains it, since
// everyone on a machine can read the flags of its processes.

import { readFileSync } from 'node:fs'

export type SecretRead = { ok: true; value: string } | { ok: false; error: string }

/** More than that is the wrong file. */
const MAX_BYTES = 64 * 1_024

export function readSecretValue(text: string): SecretRead {
  if (!text.startsWith('@')) return { ok: true, value: text }
  const path = text.slice(1)
  if (path === '') return { ok: false, error: 'names no file behind the @' }
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    return { ok: false, error: `cannot be read from ${path}: ${whyOf(error)}` }
  }
  if (bytes.byteLength > MAX_BYTES) {
    return { ok: false, error: `is not in ${path}: the file is larger than ${MAX_BYTES} bytes` }
  }
  // Editors and echo end a file with a line break, which is not part of the secret.
  const value = bytes.toString('utf8').replace(/\r?\n$/, '')
  if (value === '') return { ok: false, error: `is not in ${path}: the file is empty` }
  return { ok: true, value }
}

function whyOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EACCES') return 'this user may not read the file'
  if (code === 'EISDIR') return 'it is a folder'
  return message
}
