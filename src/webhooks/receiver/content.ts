// Whether a delivery declares itself as unencoded JSON (spec 7.3). Anything else is rejected before its signature is
// checked: bytes that must first be decoded are not the signed bytes.

import { joined } from '../../signing/message-headers.ts'
import type { HttpMessage } from '../../signing/ports.ts'

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]*)/gi

/** Why the content cannot be accepted, as a message to the sender; undefined when it can. */
export function faultOfContent(headers: HttpMessage['headers']): string | undefined {
  const type = joined(headers, 'content-type')?.trim()
  if (type === undefined || type === '') return 'Content-Type is missing: send application/json.'
  if (!JSON_TYPE.test(type)) return 'Content-Type must be application/json.'
  for (const [, charset = ''] of type.matchAll(CHARSET)) {
    if (!/^utf-?8$/i.test(charset)) return 'JSON is always UTF-8: omit the charset.'
  }
  const encoding = joined(headers, 'content-encoding')?.trim() ?? ''
  if (/^(?:identity)?$/i.test(encoding)) return undefined
  return 'Content-Encoding must be identity: send the body as it was signed, not compressed.'
}
