// The parts of a signature and what each means (RFC 9421, spec 5), for people who have not read the specifications.

import { readReceivedSignature } from '../signing/received-signature.ts'
import type { Attempt } from './api/deliveries.ts'

type Parts = NonNullable<Attempt['request']['signature']>

type Headers = Readonly<Record<string, string | null>>

/** Undefined when the headers contain no signature that can be parsed. */
export function signaturePartsOf(headers: Headers): Parts | undefined {
  const input = headerOf(headers, 'signature-input')
  const signature = headerOf(headers, 'signature')
  if (input === undefined || signature === undefined) return undefined
  const read = readReceivedSignature(input, signature)
  if (!read.ok) return undefined
  const { components, parameters, bytes } = read.signature
  const { created, expires, nonce, keyid, alg, tag } = parameters
  const parts: (readonly [string, string | undefined, string])[] = [
    ['components', components.join(' '), 'What is signed: if one of these changes, it fails.'],
    ['keyid', keyid, 'Id of the signer’s key in the published key set.'],
    ['alg', alg, 'How it was signed.'],
    ['created', timeOf(created), 'When it was signed.'],
    ['expires', timeOf(expires), 'When it expires: receivers refuse it afterwards.'],
    ['nonce', nonce, 'Can be used once: receivers refuse it the second time.'],
    ['tag', tag, 'What the signature is for. A signature for requests is not valid for webhooks.'],
    ['signature', bytes.toString('base64'), 'The signature itself.'],
  ]
  return parts.flatMap(([name, value, means]) =>
    value === undefined ? [] : [{ name, value, means }],
  )
}

/** The key that a signature refers to; undefined when the headers contain none. */
export function keyidOf(headers: Headers): string | undefined {
  return signaturePartsOf(headers)?.find(({ name }) => name === 'keyid')?.value
}

function timeOf(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined
  const date = new Date(seconds * 1_000)
  return Number.isNaN(date.getTime()) ? String(seconds) : `${seconds} (${date.toISOString()})`
}

function headerOf(headers: Headers, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? undefined
}
