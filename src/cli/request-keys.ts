// `adwire principals keys` for the keys that principals sign their requests with (spec 5): they are listed with the
// bearer keys, under the same commands.

import { type Command, Option } from 'commander'
import {
  addRequestKey,
  type NewRequestKey,
  type RequestKeyRecord,
  removeRequestKey,
} from '../agent/request-keys.ts'
import type { Storage } from '../app/open-storage.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import type { Jwk } from '../signing/ports.ts'
import type { MoreKeys } from './api-keys.ts'
import { iso } from './arguments.ts'
import { addSettings, configFrom, storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'
import { readJwks, readObject } from './webhook-files.ts'

interface AddFlags {
  jwk?: string
  jwksUrl?: string
  agentUrl?: string
  pin?: string
  json?: boolean
}

/** What `keys add`, `keys list` and `keys remove` do in addition to handling bearer keys. */
export const REQUEST_KEYS: MoreKeys = {
  addOptions: (command) => addFlags(addSettings(command, ['protocolName'])),
  isRequested: (flags) =>
    ['jwk', 'jwksUrl', 'agentUrl', 'pin'].some((name) => Object.hasOwn(flags, name)),
  add: async (storage, principalId, flags) => {
    const { keyUse } = identifiersFor(configFrom({ ...flags }).protocolName)
    const added = await addRequestKey(
      { ...storage, keyUse },
      principalId,
      wanted(flags as AddFlags),
    )
    if (!added.ok) throw new UsageError(added.message)
    if ((flags as AddFlags).json) return printJson(returned(added.record))
    const { key_id, key } = returned(added.record)
    print(`id:  ${key_id}`)
    print(`key: ${key}`)
  },
  list: async (storage, principalId) => (await storage.requestKeys.list(principalId)).map(returned),
  print: (listed) => {
    if (listed.length === 0) return
    print('')
    printTable(
      ['id', 'signs requests with', 'pinned to', 'created'],
      (listed as Returned[]).map((one) => [
        one.key_id,
        one.key,
        one.pin.join(',') || '-',
        one.created_at,
      ]),
    )
  },
  commands: () => [remove()],
}

function addFlags(command: Command): Command {
  const address = 'of the caller, which publishes its request-signing keys'
  return command
    .addOption(
      new Option('--jwk <file>', 'register this public key to verify signed requests').conflicts([
        'jwksUrl',
        'agentUrl',
        'pin',
        'expires',
      ]),
    )
    .addOption(
      new Option('--jwks-url <url>', `key set ${address}`).conflicts(['agentUrl', 'expires']),
    )
    .addOption(new Option('--agent-url <url>', `agent ${address}`).conflicts('expires'))
    .option('--pin <file>', 'with a URL: accept only the keys in this key set')
}

function wanted({ jwk, jwksUrl, agentUrl, pin }: AddFlags): NewRequestKey {
  if (jwk !== undefined) return { jwk: readObject(jwk) as Jwk }
  const pinned = pin === undefined ? undefined : [...readJwks(pin).values()]
  if (pinned?.length === 0)
    throw new UsageError(`${pin} contains no key with a kid: nothing was pinned`)
  if (agentUrl !== undefined) return { agentUrl, pin: pinned }
  if (jwksUrl !== undefined) return { jwksUrl, pin: pinned }
  throw new UsageError('--pin requires --jwks-url or --agent-url')
}

function remove(): Command {
  return storageCommand('remove')
    .description('Delete the request-signing keys, or key URLs, of a principal.')
    .argument('<key_id...>')
    .action((keyIds: string[], options: Record<string, unknown>) =>
      withStorage(options, (storage) => removeAll(storage, keyIds)),
    )
}

async function removeAll(storage: Storage, keyIds: readonly string[]): Promise<void> {
  const unknown: string[] = []
  for (const keyId of keyIds) {
    if (await removeRequestKey(storage, keyId)) print(`removed ${keyId}`)
    else unknown.push(keyId)
  }
  if (unknown.length === 0) return
  const which = unknown.join(', ')
  throw new UsageError(`no request-signing key ${which}: list the keys to see them`)
}

type Returned = ReturnType<typeof returned>

function returned({ key_id, kind, jwk, url, pin = [], created_at }: RequestKeyRecord) {
  return {
    key_id,
    kind,
    key: url ?? jwk?.kid ?? '',
    pin: pin.map(({ kid }) => kid ?? ''),
    created_at: iso(created_at),
  }
}
