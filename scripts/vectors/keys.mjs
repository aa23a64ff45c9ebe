// Key pairs for the signing vectors, derived from words so that every run has the same ones. They
// are public: nothing may trust them.
import {
  createECDH,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  sign,
} from 'node:crypto'

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

const sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Signs in a repeatable way and knows its JWK; `members` replace those of the published key. */
function ed25519(kid, purpose, members = {}) {
  const seed = sha256(`adwire vectors: ${kid}`)
  const key = createPrivateKey({
    key: Buffer.concat([ED25519_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  const jwk = published({ kid, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', purpose, x }, members)
  return {
    kid,
    alg: 'ed25519',
    jwk,
    d: seed.toString('base64url'),
    sign: (base) => sign(null, base, key),
  }
}

function p256(kid, purpose, members = {}) {
  const seed = sha256(`adwire vectors: ${kid}`)
  const point = publicPoint(seed)
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((n) => n.toString('base64url'))
  const jwk = published({ kid, kty: 'EC', crv: 'P-256', alg: 'ES256', purpose, x, y }, members)
  return {
    kid,
    alg: 'ecdsa-p256-sha256',
    jwk,
    d: seed.toString('base64url'),
    sign: (base) => signP256(seed, base),
  }
}

function published({ purpose, ...jwk }, members) {
  const all = { ...jwk, use: 'sig', key_ops: ['verify'], test_use: purpose, ...members }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}

function publicPoint(scalar) {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(scalar)
  return ecdh.getPublicKey()
}

/** RFC 6979: the nonce of an ECDSA signature from the key and the message, so it repeats. */
function signP256(key, message) {
  const z = sha256(message)
  const reduced = toBytes(toInteger(z) % ORDER)
  let v = Buffer.alloc(32, 1)
  let k = Buffer.alloc(32, 0)
  const mac = (...parts) => createHmac('sha256', k).update(Buffer.concat(parts)).digest()
  for (const round of [0, 1]) {
    k = mac(v, Buffer.from([round]), key, reduced)
    v = mac(v)
  }
  v = mac(v)
  const secret = toInteger(v)
  const r = toInteger(publicPoint(v).subarray(1, 33)) % ORDER
  const s = (power(secret, ORDER - 2n) * (toInteger(z) + r * toInteger(key))) % ORDER
  return Buffer.concat([toBytes(r), toBytes(s)])
}

const toInteger = (bytes) => BigInt(`0x${bytes.toString('hex')}`)
const toBytes = (n) => Buffer.from(n.toString(16).padStart(64, '0'), 'hex')

function power(base, exponent) {
  let result = 1n
  let square = base % ORDER
  for (let bits = exponent; bits > 0n; bits >>= 1n) {
    if (bits & 1n) result = (result * square) % ORDER
    square = (square * square) % ORDER
  }
  return result
}

const HOOK = 'webhook-signing'
const REQUEST = 'request-signing'

export const KEYS = Object.fromEntries(
  [
    ed25519('hook-ed', HOOK),
    p256('hook-ec', HOOK),
    ed25519('call-ed', REQUEST),
    p256('call-ec', REQUEST),
    ed25519('answer-ed', 'response-signing'),
    ed25519('hook-withdrawn', HOOK),
    ed25519('use-enc', HOOK, { use: 'enc' }),
    ed25519('use-missing', HOOK, { use: null }),
    ed25519('ops-sign', HOOK, { key_ops: ['sign'] }),
    ed25519('ops-missing', HOOK, { key_ops: null }),
    ed25519('purpose-list', [HOOK]),
    ed25519('purpose-missing', null),
    ed25519('alg-other', HOOK, { alg: 'ES256' }),
    ed25519('alg-missing', HOOK, { alg: null }),
    ed25519('with-private', HOOK, { d: 'bm90IHRoZSByZWFsIG9uZQ' }),
    ed25519('short-x', HOOK, { x: 'AAAA' }),
    p256('off-curve', HOOK, { y: Buffer.alloc(32, 7).toString('base64url') }),
    p256('other-curve', HOOK, { crv: 'P-384' }),
    ed25519('odd "name" \\ 1', HOOK),
  ].map((key) => [key.kid, key]),
)
