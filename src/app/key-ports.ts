// What the functions that manage keys need, for the server and for commands that run next to it.

import type { KeyPorts } from '../keys/manage-keys.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import type { Config } from './config.ts'
import type { Storage } from './open-storage.ts'

export function keyPorts(
  { keySecret, protocolName }: Pick<Config, 'keySecret' | 'protocolName'>,
  { transact, signingKeys }: Pick<Storage, 'transact' | 'signingKeys'>,
): KeyPorts {
  return {
    transact,
    signingKeys,
    keyUse: identifiersFor(protocolName).keyUse,
    box: keySecret === undefined ? undefined : createSecretBox(keySecret),
  }
}
