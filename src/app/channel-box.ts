// What seals the tokens and credentials of channels: the operator's secret, or without one a secret that the
// instances find in their database. For the server, and for commands that register channels beside it.

import { randomBytes } from 'node:crypto'
import { createSecretBox, type SecretBox } from '../lib/secret-box.ts'
import type { Config } from './config.ts'
import type { Storage } from './open-storage.ts'

export async function channelBox(
  { keySecret }: Pick<Config, 'keySecret'>,
  { transact, serverSecrets }: Pick<Storage, 'transact' | 'serverSecrets'>,
): Promise<SecretBox> {
  if (keySecret !== undefined) return createSecretBox(keySecret)
  const make = () => randomBytes(32).toString('base64url')
  const secret = await transact((tx) => serverSecrets.getOrCreate(tx, 'webhook-channels', make))
  return createSecretBox(secret)
}
