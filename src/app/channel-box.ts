// What encrypts the tokens and credentials of channels: the operator's secret, or otherwise a secret that the
// instances share in their database. For the server, and for commands that register channels next to it.

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
