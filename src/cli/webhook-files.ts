// Reads the files that `adwire webhook` works on; if one cannot be used, the command ends with what is wrong and what
// would be valid.

import { readFileSync } from 'node:fs'
import { type KeySet, keysById } from '../key-discovery/key-set.ts'
import { parseStrictJson } from '../lib/strict-json.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { importPrivateKey } from '../signing/local-signer.ts'
import type { HttpMessage, Jwk } from '../signing/ports.ts'
import { unusableJson } from './input-text.ts'
import { UsageError } from './terminal.ts'

export function readRequest(file: string): HttpMessage {
  const { method, url, headers = {}, ...rest } = readObject(file)
  if (typeof method !== 'string' || typeof url !== 'string') {
    throw new UsageError(`${file} must have "method" and "url" as strings`)
  }
  if (!isHeaders(headers)) {
    throw new UsageError(`${file} must have "headers" as an object of strings or lists of strings`)
  }
  return { method, url, headers, body: bodyOf(file, rest) }
}

export function readJwks(file: string): KeySet {
  const { keys } = readObject(file)
  if (!Array.isArray(keys)) throw new UsageError(`${file} must be a key set: {"keys": […]}`)
  return keysById(keys)
}

export function readPrivateKey(file: string): Jwk {
  const jwk = readObject(file) as Jwk
  if (typeof jwk.kid !== 'string') throw new UsageError(`${file} must be a JWK with a "kid"`)
  const key = importPrivateKey(jwk)
  if (!key.ok) throw new UsageError(`${file} must be a private JWK: the key ${key.reason}`)
  return jwk
}

export function readSeen(file: string): { keyid: string; nonce: string }[] {
  const list = readJson(file)
  const entries = Array.isArray(list) ? list.filter(isSeen) : []
  if (!Array.isArray(list) || entries.length !== list.length) {
    throw new UsageError(`${file} must be a list of {"keyid", "nonce"}`)
  }
  return entries
}

function isSeen(entry: unknown): entry is { keyid: string; nonce: string } {
  return isObject(entry) && typeof entry.keyid === 'string' && typeof entry.nonce === 'string'
}

function isHeaders(value: unknown): value is HttpMessage['headers'] {
  const isText = (one: unknown) => typeof one === 'string'
  return (
    isObject(value) &&
    Object.values(value).every((one) => isText(one) || (Array.isArray(one) && one.every(isText)))
  )
}

function bodyOf(file: string, { body, body_base64 }: Record<string, unknown>): Buffer {
  if (body !== undefined && body_base64 !== undefined) {
    throw new UsageError(`${file} must have "body" or "body_base64", not both`)
  }
  if (body_base64 === undefined) {
    if (body === undefined || body === null) return Buffer.alloc(0)
    if (typeof body === 'string') return Buffer.from(body, 'utf8')
    throw new UsageError(`${file} must have "body" as a string: the exact text that was sent`)
  }
  if (typeof body_base64 === 'string') {
    const bytes = Buffer.from(body_base64, 'base64')
    if (bytes.toString('base64') === body_base64) return bytes
  }
  throw new UsageError(`${file} must have "body_base64" as padded base64`)
}

export function readObject(file: string): Record<string, unknown> {
  const value = readJson(file)
  if (!isObject(value)) throw new UsageError(`${file} must contain a JSON object`)
  return value
}

function readJson(file: string): unknown {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    throw new UsageError(`cannot read ${file}: give the path of a JSON file`)
  }
  const read = parseStrictJson(bytes)
  if (read.ok) return read.value
  throw unusableJson(file, read)
}
