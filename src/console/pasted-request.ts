// A pasted request, as a message to verify: raw HTTP/1.1, or the JSON that `adwire webhook verify` accepts. Parsed in
// one pass; what cannot be parsed is reported, with what would be valid.

import { isUrl } from '../lib/is-url.ts'
import { tryJson } from '../lib/try-json.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import type { HttpMessage } from '../signing/ports.ts'
import { Refused } from './refusal.ts'

/** `base` is the origin it was sent to, for a request line that has only the path. Throws a Refused. */
export function readPastedRequest(text: string, base: string | undefined): HttpMessage {
  const trimmed = text.trimStart()
  return trimmed.startsWith('{') ? fromJson(trimmed) : fromHttp(trimmed, base)
}

function fromJson(text: string): HttpMessage {
  const value = tryJson(text)
  if (!isObject(value)) throw bad('the request starts like JSON but is not valid JSON')
  const { method, url, headers = {}, body, body_base64 } = value
  if (typeof method !== 'string' || typeof url !== 'string') {
    throw bad('the JSON of a request has "method" and "url" as strings')
  }
  if (!isHeaders(headers)) {
    throw bad('"headers" is an object whose values are strings or lists of strings')
  }
  if (typeof body_base64 === 'string') {
    return { method, url, headers, body: Buffer.from(body_base64, 'base64') }
  }
  if (body !== undefined && typeof body !== 'string') {
    throw bad('"body" is a string: the exact text that was sent')
  }
  return { method, url, headers, body: Buffer.from(body ?? '', 'utf8') }
}

function isHeaders(value: unknown): value is HttpMessage['headers'] {
  const isText = (one: unknown) => typeof one === 'string'
  return (
    isObject(value) &&
    Object.values(value).every((one) => isText(one) || (Array.isArray(one) && one.every(isText)))
  )
}

const MAX_HEADER_LINES = 200

function fromHttp(text: string, base: string | undefined): HttpMessage {
  const { head, body } = splitHead(text)
  const [requestLine = '', ...lines] = head
  const [method, target, version] = requestLine.split(' ')
  if (method === undefined || target === undefined || !version?.startsWith('HTTP/')) {
    throw bad('the first line is like "POST /hook HTTP/1.1"; or paste JSON with method and url')
  }
  if (lines.length > MAX_HEADER_LINES) throw bad(`it has more than ${MAX_HEADER_LINES} headers`)
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1)
      throw bad(`a header is like "Content-Type: application/json", not "${cut(line)}"`)
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  const url = urlOf(target, headers.get('host')?.[0], base)
  return { method, url, headers: Object.fromEntries(headers), body: Buffer.from(body, 'utf8') }
}

/** Up to the first empty line; line ends may be those of a text field. */
function splitHead(text: string): { head: string[]; body: string } {
  const head: string[] = []
  let at = 0
  while (at <= text.length) {
    const end = text.indexOf('\n', at)
    const line = (end < 0 ? text.slice(at) : text.slice(at, end)).replace(/\r$/, '')
    if (end < 0) {
      if (line !== '') head.push(line)
      return { head, body: '' }
    }
    at = end + 1
    if (line === '') return { head, body: text.slice(at) }
    head.push(line)
  }
  return { head, body: '' }
}

function urlOf(target: string, host: string | undefined, base: string | undefined): string {
  if (/^https?:\/\//i.test(target)) return target
  if (base !== undefined) {
    if (!isUrl(target, base)) throw bad('the URL it was sent to is like https://buyer.example')
    return new URL(target, base).href
  }
  if (host === undefined) throw bad('a request with a path alone needs a Host header, or its URL')
  return `https://${host}${target}`
}

function cut(line: string): string {
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}

function bad(message: string): Refused {
  return new Refused(400, 'invalid_request', message)
}
