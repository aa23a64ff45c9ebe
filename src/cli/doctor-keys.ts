// The keys that `adwire doctor` signs webhooks with, kept in a file from run to run: a receiver caches a key set and
// a list of revoked keys for minutes, and would treat new keys as unknown.

import { existsSync, writeFileSync } from 'node:fs'
import { type DoctorPairs, makePairs } from '../doctor/receiver/key-site.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { publicJwkOf } from '../signing/keys.ts'
import { importPrivateKey } from '../signing/local-signer.ts'
import type { Jwk } from '../signing/ports.ts'
import { UsageError } from './terminal.ts'
import { readObject } from './webhook-files.ts'

const NAMES = ['main', 'ecdsa', 'otherPurpose', 'revoked'] as const

/** The keys in the file, or new ones, which are then stored there, readable only by the owner. */
export function doctorPairs(file: string, names: Identifiers): DoctorPairs {
  if (existsSync(file)) return pairsIn(file, names)
  const pairs = makePairs(names)
  const kept = Object.fromEntries(NAMES.map((name) => [name, pairs[name].privateJwk]))
  try {
    writeFileSync(file, `${JSON.stringify({ protocol: names.name, ...kept }, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`--keys-file ${file} cannot be written (${code}): use another file`)
  }
  return pairs
}

function pairsIn(file: string, names: Identifiers): DoctorPairs {
  const { protocol, ...kept } = readObject(file)
  if (protocol !== names.name) {
    throw new UsageError(
      `${file} has keys for ${protocol}: use another --keys-file for ${names.name}`,
    )
  }
  const pair = (name: (typeof NAMES)[number]) => {
    const jwk = kept[name]
    if (!isObject(jwk) || !importPrivateKey(jwk as Jwk).ok) {
      throw new UsageError(
        `${file} has no usable key "${name}": delete the file, and a new one is created`,
      )
    }
    return { privateJwk: jwk as Jwk, publicJwk: publicJwkOf(jwk as Jwk) }
  }
  const [main, ecdsa, otherPurpose, revoked] = [
    pair('main'),
    pair('ecdsa'),
    pair('otherPurpose'),
    pair('revoked'),
  ]
  return { main, ecdsa, otherPurpose, revoked }
}
