// RFC 9421 by hand for one fixed set of components and one key: what is left of it when nothing is general.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'

const COMPONENTS = '("@method" "@target-uri" "@authority" "content-type" "content-digest")'
const TAG = 'proto/webhook-signing/v1'
const WINDOW_S = 300
const INPUT =
  /^sig1=(\(.*\);created=(\d+);expires=(\d+);nonce="([^"]+)";keyid="([^"]+)";alg="ed25519";tag="([^"]+)")$/

export function createMinimalSigner(privateJwk) {
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' })
  return (url, body) => {
    const now = Math.floor(Date.now() / 1_000)
    const nonce = randomBytes(16).toString('base64url')
    const parameters = `${COMPONENTS};created=${now};expires=${now + WINDOW_S};nonce="${nonce}";keyid="${privateJwk.kid}";alg="ed25519";tag="${TAG}"`
    const digest = digestOf(body)
    const signature = sign(null, baseOf(url, digest, parameters), key).toString('base64url')
    return {
      'content-type': 'application/json',
      'content-digest': digest,
      'signature-input': `sig1=${parameters}`,
      signature: `sig1=:${signature}:`,
    }
  }
}

/** @returns {(request: { url: string, headers: object, body: Buffer }) => boolean} */
export function createMinimalVerifier(publicJwk) {
  const key = createPublicKey({ key: publicJwk, format: 'jwk' })
  const nonces = new Map()
  return ({ url, headers, body }) => {
    const [, parameters, created, expires, nonce, keyid, tag] =
      INPUT.exec(headers['signature-input'] ?? '') ?? []
    if (!parameters?.startsWith(COMPONENTS) || keyid !== publicJwk.kid || tag !== TAG) return false
    const now = Date.now() / 1_000
    if (created > now + 60 || expires < now - 60 || expires - created > WINDOW_S) return false
    const digest = digestOf(body)
    if (headers['content-digest'] !== digest || headers['content-type'] !== 'application/json')
      return false
    const signature = Buffer.from(headers.signature.slice('sig1=:'.length, -1), 'base64url')
    if (!verify(null, baseOf(url, digest, parameters), key, signature)) return false
    if (nonces.has(nonce)) return false
    nonces.set(nonce, expires)
    return true
  }
}

function digestOf(body) {
  return `sha-256=:${createHash('sha256').update(body).digest('base64url')}:`
}

function baseOf(url, digest, parameters) {
  const { host } = new URL(url)
  return Buffer.from(
    `"@method": POST\n"@target-uri": ${url}\n"@authority": ${host}\n"content-type": application/json\n"content-digest": ${digest}\n"@signature-params": ${parameters}`,
  )
}
