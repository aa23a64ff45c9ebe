// Builds the headers of a signed delivery part by part, so that each part can be made wrong separately (spec 5). Real
// senders use signing/sign.ts, which only makes good signatures.

import { encodeBase64Url } from '../../lib/base64.ts'
import { createContentDigest } from '../../signing/content-digest.ts'
import { createNonce } from '../../signing/nonces.ts'
import type { Signer } from '../../signing/ports.ts'
import { signatureBase } from '../../signing/signature-base.ts'
import { canonicalTargetUri } from '../../signing/target-uri.ts'

export interface Craft {
  signer: Signer
  /** What is signed as the target. */
  url: string
  tag: string
  /** The body that is signed and digested. */
  body: Uint8Array
  /** Default application/json. */
  contentType?: string
  /** Seconds. Default now. */
  created?: number
  /** Seconds from created to expires. Default 300. */
  windowSeconds?: number
  /** `null` leaves it out. */
  nonce?: string | null
  alg?: string
  /** Components that are not covered. Default none. */
  uncovered?: readonly string[]
  /** Encoding of binary values. Default base64url without padding. */
  alphabet?: 'url' | 'standard' | 'mixed'
}

const COVERED = ['@method', '@target-uri', '@authority', 'content-type', 'content-digest']

export async function craftHeaders(craft: Craft): Promise<Record<string, string>> {
  const { signer, tag, uncovered = [], contentType = 'application/json', alphabet = 'url' } = craft
  const components = COVERED.filter((name) => !uncovered.includes(name))
  const digest = written(createContentDigest(craft.body), alphabet)
  const values = components.map((name) => componentValue(name, { ...craft, contentType }, digest))
  const created = craft.created ?? Math.floor(Date.now() / 1_000)
  const { nonce = createNonce(), alg = signer.algorithm, windowSeconds = 300 } = craft
  const parameters = [
    `(${components.map((name) => `"${name}"`).join(' ')})`,
    `created=${created}`,
    `expires=${created + windowSeconds}`,
    ...(nonce === null ? [] : [`nonce="${nonce}"`]),
    `keyid="${signer.keyid}"`,
    `alg="${alg}"`,
    `tag="${tag}"`,
  ].join(';')
  const base = signatureBase({ components, values, parameters })
  const signature = await signer.sign(Buffer.from(base, 'latin1'))
  return {
    'content-type': contentType,
    'content-digest': digest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=${written(`:${encodeBase64Url(signature)}:`, alphabet)}`,
  }
}

function componentValue(name: string, { url, contentType }: Craft, digest: string): string {
  const target = canonicalTargetUri(url, { allowUnicodeHost: true })
  if (!target.ok) throw new Error(`the address cannot be signed: ${target.reason}`)
  if (name === '@method') return 'POST'
  if (name === '@target-uri') return target.targetUri
  if (name === '@authority') return target.authority
  return name === 'content-type' ? (contentType ?? '') : digest
}

/** The byte sequence of a header in the other base64 alphabet. */
function written(field: string, alphabet: Craft['alphabet']): string {
  if (alphabet === 'url') return field
  const [head = '', text = ''] = field.split(':')
  const standard = Buffer.from(text, 'base64url').toString('base64')
  // Contains a letter of each alphabet: a reader must not guess which one was meant.
  return `${head}:${alphabet === 'standard' ? standard : `-_${standard.slice(2, -4)}+/==`}:`
}
