// The challenges of this registry, from the secret that the instances on one database share.

import { randomBytes } from 'node:crypto'
import { challengesBy, type MakeChallenge } from '../registry/challenge.ts'
import type { Storage } from './open-storage.ts'

const SECRET_NAME = 'registry-domain-proof'

export async function domainChallenges({
  transact,
  serverSecrets,
}: Pick<Storage, 'transact' | 'serverSecrets'>): Promise<MakeChallenge> {
  const make = () => randomBytes(32).toString('base64url')
  return challengesBy(await transact((tx) => serverSecrets.getOrCreate(tx, SECRET_NAME, make)))
}
