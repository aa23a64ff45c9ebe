// Encrypts small texts for storage with AES-256-GCM, so that a copy of the database alone reveals nothing. The
// context of a text is authenticated with it: an encrypted text that was moved to another row cannot be decrypted.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scryptSync } from 'node:crypto'

export interface SecretBox {
  /** `context` identifies what the text belongs to, and must be the same for decryption. */
  seal(text: string, context: string): string
  /** Fails if the secret or the context differs, or a byte was changed. */
  open(sealed: string, context: string): { ok: true; text: string } | { ok: false }
}

const VERSION = 'v1'
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
/** The secret is stretched once, so this salt is the same for all texts; each text also has its own salt. */
const STRETCH_SALT = 'adwire secret box v1'

/** Sealed texts look like `v1.<salt>.<nonce>.<ciphertext and tag>`, each part in base64url. */
export function createSecretBox(secret: string): SecretBox {
  let stretched: Buffer | undefined
  const keyFor = (salt: Uint8Array): Uint8Array => {
    // A person may have chosen the secret: guessing it must cost more than a hash.
    stretched ??= scryptSync(secret, STRETCH_SALT, KEY_BYTES)
    return new Uint8Array(hkdfSync('sha256', stretched, salt, VERSION, KEY_BYTES))
  }
  return {
    seal: (text, context) => {
      const salt = randomBytes(SALT_BYTES)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(salt), nonce)
      cipher.setAAD(Buffer.from(context, 'utf8'))
      const sealed = [cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return [VERSION, ...[salt, nonce, Buffer.concat(sealed)].map(base64url)].join('.')
    },
    open: (sealed, context) => {
      const parts = partsOf(sealed)
      if (!parts) return { ok: false }
      try {
        const decipher = createDecipheriv('aes-256-gcm', keyFor(parts.salt), parts.nonce, {
          authTagLength: TAG_BYTES,
        })
        decipher.setAAD(Buffer.from(context, 'utf8'))
        decipher.setAuthTag(parts.tag)
        const text = Buffer.concat([decipher.update(parts.ciphertext), decipher.final()])
        return { ok: true, text: text.toString('utf8') }
      } catch {
        return { ok: false }
      }
    },
  }
}

/** Whether a text was encrypted by a box, with any secret. */
export function isSealed(text: string): boolean {
  return partsOf(text) !== undefined
}

interface Parts {
  salt: Buffer
  nonce: Buffer
  ciphertext: Buffer
  tag: Buffer
}

function partsOf(sealed: string): Parts | undefined {
  const [version, ...texts] = sealed.split('.')
  if (version !== VERSION || texts.length !== 3) return undefined
  const [salt, nonce, body] = texts.map((text) => Buffer.from(text, 'base64url'))
  if (!salt || !nonce || !body || [salt, nonce, body].map(base64url).join() !== texts.join()) {
    return undefined
  }
  if (salt.length !== SALT_BYTES || nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) {
    return undefined
  }
  const end = body.length - TAG_BYTES
  return { salt, nonce, ciphertext: body.subarray(0, end), tag: body.subarray(end) }
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url')
}
