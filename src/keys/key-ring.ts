// The keys of this operator in memory, for signing and publishing (spec 5). Changes by another instance or a command
// are picked up on a wake-up, or within a few seconds without one.

import type { Clock } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { OnWake } from '../lib/transaction.ts'
import { localSigner } from '../signing/local-signer.ts'
import type { Jwk, Signer } from '../signing/ports.ts'
import { publishedKeysAt, signingKeyAt } from './lifecycle.ts'
import { openPrivateKey } from './private-key.ts'
import { publishedJwk } from './published-jwk.ts'
import {
  KEYS_TOPIC,
  type KeyPurpose,
  type SigningKeyRecord,
  type SigningKeyStore,
} from './store.ts'

export interface KeyRingPorts {
  signingKeys: Pick<SigningKeyStore, 'list'>
  onWake: OnWake
  clock: Clock
  /** The JWK member that contains the key's purpose. */
  keyUse: string
  /** Decrypts private keys. Default: only plain ones can be used. */
  box?: SecretBox | undefined
  /** Signers of keys that are held elsewhere, by their kid. Default none. */
  externalSigners?: Readonly<Record<string, Signer>>
  /** Maximum age of the keys in memory, in milliseconds. Default 2000. */
  refreshMs?: number
  /** Called when the keys could not be reloaded and the known ones are still used. */
  onFault: (error: unknown) => void
}

export interface KeyRing {
  /**
   * The key to sign with now: request it for each message and do not store it. Throws when the purpose (default
   * webhook-signing) has no key or its private half is not available.
   */
  signer(purpose?: KeyPurpose): Promise<Signer>
  /** The key set to publish. */
  publicJwks(): Promise<{ keys: Jwk[] }>
  /** The keys to list as revoked, the oldest first. */
  revoked(): Promise<RevokedKey[]>
  /** Stops listening for wake-ups. */
  stop(): void
}

export interface RevokedKey {
  kid: string
  /** Milliseconds. */
  revoked_at: number
}

export function createKeyRing(ports: KeyRingPorts): KeyRing {
  const { clock, keyUse } = ports
  const { keys, stop } = recentKeys(ports)
  const current = new Map<KeyPurpose, { kid: string; signer: Signer }>()
  return {
    signer: async (purpose = 'webhook-signing') => {
      const key = signingKeyAt(await keys(), clock.now(), purpose)
      if (!key) throw new Error(`no key is for ${purpose}: make one with "adwire keys generate"`)
      const known = current.get(purpose)
      if (known?.kid === key.kid) return known.signer
      const signer = signerOf(key, ports)
      current.set(purpose, { kid: key.kid, signer })
      return signer
    },
    publicJwks: async () => ({
      keys: publishedKeysAt(await keys(), clock.now()).map((key) => publishedJwk(key, keyUse)),
    }),
    revoked: async () =>
      (await keys()).flatMap(({ kid, revoked_at }) =>
        revoked_at === null ? [] : [{ kid, revoked_at }],
      ),
    stop,
  }
}

function signerOf(key: SigningKeyRecord, { box, externalSigners }: KeyRingPorts): Signer {
  const signers = externalSigners ?? {}
  const external = Object.hasOwn(signers, key.kid) ? signers[key.kid] : undefined
  if (external) return external
  if (key.private_key === null) {
    throw new Error(`the private key of ${key.kid} is held elsewhere, and no signer was handed in`)
  }
  const opened = openPrivateKey(key, box)
  if (!opened.ok) throw new Error(opened.message)
  return localSigner({ ...opened.jwk, kid: key.kid })
}

/** The stored keys, reloaded when they are old or a change was reported. */
function recentKeys({ signingKeys, onWake, clock, refreshMs = 2_000, onFault }: KeyRingPorts): {
  keys(): Promise<SigningKeyRecord[]>
  stop(): void
} {
  let held: { keys: SigningKeyRecord[]; readAt: number } | undefined
  let reading: Promise<SigningKeyRecord[]> | undefined

  async function read(): Promise<SigningKeyRecord[]> {
    const known = held?.keys
    try {
      return await signingKeys.list()
    } catch (error) {
      // Signatures made with a known key can be verified: an unavailable database must not stop signing.
      if (!known) throw error
      onFault(error)
      return known
    }
  }

  function readAgain(): Promise<SigningKeyRecord[]> {
    const readAt = clock.now()
    const mine = read().then((keys) => {
      // A read that began before a wake-up is discarded.
      if (reading === mine) held = { keys, readAt }
      return keys
    })
    const done = () => {
      if (reading === mine) reading = undefined
    }
    mine.then(done, done)
    return mine
  }

  return {
    keys: async () => {
      if (held && !reading && Math.abs(clock.now() - held.readAt) < refreshMs) return held.keys
      reading ??= readAgain()
      return reading
    },
    stop: onWake(KEYS_TOPIC, () => {
      reading = readAgain()
      // No one may be waiting for this one; the next caller receives its failure.
      reading.catch(() => {})
    }),
  }
}
