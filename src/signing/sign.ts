// Signs a message according to a profile of RFC 9421 (spec 5): used by the sender and by the caller.

import { encodeBase64Url } from '../lib/base64.ts'
import { createContentDigest } from './content-digest.ts'
import { coveredHeader } from './message-headers.ts'
import { createNonce, isNonce } from './nonces.ts'
import type { HttpMessage, Signer } from './ports.ts'
import { type SigningProfile, signedComponents } from './profile.ts'
import { isMethod, signatureBase } from './signature-base.ts'
import { quote } from './structured-fields.ts'
import { canonicalTargetUri } from './target-uri.ts'

export interface SignOptions {
  signer: Signer
  profile: SigningProfile
  /** Unix time in seconds. */
  now: number
  /** Seconds the signature is valid. Default 300, and at most what the profile allows. */
  windowSeconds?: number
  /** For tests. Default: 16 fresh random bytes. */
  nonce?: string
}

export interface SignatureHeaders {
  'Signature-Input': string
  Signature: string
  /** Absent if the profile forbids covering it. */
  'Content-Digest'?: string
}

export type SignResult =
  | { ok: true; headers: SignatureHeaders; signatureBase: string }
  | { ok: false; code: 'target_uri_malformed' | 'header_malformed'; detail: string }

/**
 * The headers to send with a message; its body must be sent in exactly these bytes. Every attempt is signed again: a
 * nonce sent twice is a replay. A URL or content type that cannot be signed is returned as a refusal; a window, nonce
 * or key id out of bounds throws.
 */
export async function signMessage(message: HttpMessage, options: SignOptions): Promise<SignResult> {
  const { signer, profile } = options
  const components = signedComponents(profile, message.body.byteLength > 0)
  const covered = valuesToCover(message, components, profile)
  if (!covered.ok) return covered

  const parameters = `${listOf(components)}${parametersOf(options)}`
  const base = signatureBase({ components, values: covered.values, parameters })
  const signing = signer.sign(Buffer.from(base, 'latin1'))
  const signature = signing instanceof Promise ? await signing : signing
  const headers: SignatureHeaders = {
    'Signature-Input': `sig1=${parameters}`,
    Signature: `sig1=:${encoded(signature, profile)}:`,
  }
  if (covered.contentDigest !== undefined) headers['Content-Digest'] = covered.contentDigest
  return { ok: true, headers, signatureBase: base }
}

const DEFAULT_WINDOW_SECONDS = 300

interface Covered {
  ok: true
  /** One for each component. */
  values: string[]
  contentDigest: string | undefined
}

function valuesToCover(
  { method, url, headers, body }: HttpMessage,
  components: readonly string[],
  { binary }: SigningProfile,
): Covered | Extract<SignResult, { ok: false }> {
  if (!isMethod(method)) return refuse('header_malformed', 'the method is not an HTTP token')
  const target = canonicalTargetUri(url, { allowUnicodeHost: true })
  if (!target.ok) return refuse('target_uri_malformed', target.reason)

  const values: string[] = []
  let contentDigest: string | undefined
  for (const name of components) {
    if (name === '@method') values.push(method)
    else if (name === '@target-uri') values.push(target.targetUri)
    else if (name === '@authority') values.push(target.authority)
    else if (name === 'content-digest') {
      contentDigest = createContentDigest(body, binary)
      values.push(contentDigest)
    } else {
      const header = coveredHeader(headers, name)
      if (!header.ok) return refuse('header_malformed', header.reason)
      values.push(header.value)
    }
  }
  return { ok: true, values, contentDigest }
}

function encoded(signature: Uint8Array, { binary }: SigningProfile): string {
  if (binary === 'base64url') return encodeBase64Url(signature)
  return Buffer.from(signature).toString('base64')
}

const lists = new WeakMap<readonly string[], string>()

function listOf(components: readonly string[]): string {
  const known = lists.get(components)
  if (known) return known
  const list = `(${components.map((name) => `"${name}"`).join(' ')})`
  lists.set(components, list)
  return list
}

function parametersOf(options: SignOptions): string {
  const { signer, profile, now, nonce } = options
  const { windowSeconds = DEFAULT_WINDOW_SECONDS } = options
  if (!(windowSeconds >= 1 && windowSeconds <= profile.maxWindowSeconds)) {
    throw new RangeError(`A signature is valid for 1 to ${profile.maxWindowSeconds} seconds.`)
  }
  if (nonce !== undefined && !isNonce(nonce)) {
    throw new RangeError('A nonce is 16 bytes or more in unpadded base64url.')
  }
  const created = Math.floor(now)
  const expires = created + Math.floor(windowSeconds)
  return `;created=${created};expires=${expires};nonce="${nonce ?? createNonce()}"${identityOf(signer, profile)}`
}

const identities = new WeakMap<Signer, { keyid: string; tag: string; text: string }>()

/** The parameters that are the same in every signature of a signer. */
function identityOf(signer: Signer, { tag }: SigningProfile): string {
  const { keyid, algorithm } = signer
  const known = identities.get(signer)
  if (known?.keyid === keyid && known.tag === tag) return known.text
  const [quotedKeyid, quotedTag] = [quote(keyid), quote(tag)]
  if (!quotedKeyid || !quotedTag) {
    throw new RangeError('A key id and a tag hold printable ASCII only.')
  }
  const text = `;keyid=${quotedKeyid};alg="${algorithm}";tag=${quotedTag}`
  identities.set(signer, { keyid, tag, text })
  return text
}

function refuse(code: 'target_uri_malformed' | 'header_malformed', detail: string) {
  return { ok: false, code, detail } as const
}
