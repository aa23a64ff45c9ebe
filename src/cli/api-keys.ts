// `adwire principals keys` and `adwire orgs keys`: the keys of one owner, and how to replace one while it is in use.

import { Command } from 'commander'
import type { Storage } from '../app/open-storage.ts'
import { type ApiKeyRecord, isGood, type KeyOwner, type OwnerKeys } from '../lib/api-keys.ts'
import { systemClock } from '../lib/clock.ts'
import { durationOf, iso } from './arguments.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

export interface KeysCommandOptions {
  /** The name of the argument for the owner. */
  id: 'principal_id' | 'organization_id'
  /** What the owner is called. */
  owner: string
  keys: (storage: Storage) => OwnerKeys
  /** Other kinds of keys that such owners have, under the same commands. Default none. */
  more?: MoreKeys
}

/** Another kind of keys: what the commands do with them. */
export interface MoreKeys {
  /** Adds the flags of `add` that request such a key. */
  addOptions(command: Command): Command
  isRequested(flags: object): boolean
  /** Adds one, and prints it. */
  add(storage: Storage, ownerId: string, flags: object): Promise<void>
  /** Those of an owner, in their JSON form. */
  list(storage: Storage, ownerId: string): Promise<readonly object[]>
  print(listed: readonly object[]): void
  /** Commands of their own. */
  commands(): readonly Command[]
}

export function apiKeysCommand(options: KeysCommandOptions): Command {
  const command = new Command('keys')
    .description(`Manage the keys of ${options.owner}.`)
    .addCommand(list(options))
    .addCommand(add(options))
    .addCommand(rotate(options))
    .addCommand(revoke(options))
  for (const other of options.more?.commands() ?? []) command.addCommand(other)
  return command
}

function list({ id, owner, keys, more }: KeysCommandOptions): Command {
  return storageCommand('list')
    .description(`List the keys of ${owner} by their first characters.`)
    .argument(`<${id}>`)
    .option('--json', 'print a JSON array')
    .action((ownerId: string, options: { json?: boolean }) =>
      withStorage({ ...options }, async (storage) => {
        const found = accepted(await keys(storage).list(ownerId)).keys.map(returned)
        const others = (await more?.list(storage, ownerId)) ?? []
        if (options.json) return printJson([...found, ...others])
        printTable(
          ['id', 'key', 'state', 'created', 'last used', 'expires', 'revoked'],
          found.map((one) => [
            one.key_id,
            `${one.hint}…`,
            one.state,
            one.created_at,
            one.last_used_at ?? '-',
            one.expires_at ?? '-',
            one.revoked_at ?? '-',
          ]),
        )
        more?.print(others)
      }),
    )
}

function add({ id, owner, keys, more }: KeysCommandOptions): Command {
  const command = storageCommand('add')
    .description(`Add a key for ${owner}. It is printed once and stored only as a hash.`)
    .argument(`<${id}>`)
    .option('--expires <time>', 'when the key expires: 12h, 90d; by default, it does not expire')
    .option('--json', 'print {"key_id", "key"}')
  return (more?.addOptions(command) ?? command).action(
    (ownerId: string, options: { expires?: string; json?: boolean }) => {
      const { expires } = options
      const expiresInMs =
        expires === undefined ? undefined : durationOf('--expires', expires, { isSome: true })
      return withStorage({ ...options }, async (storage) => {
        if (more?.isRequested(options)) return more.add(storage, ownerId, options)
        const { key, record } = accepted(await keys(storage).add(ownerId, { expiresInMs }))
        if (options.json) return printJson({ key_id: record.key_id, key })
        printKey(key, record)
      })
    },
  )
}

function rotate({ id, owner, keys }: KeysCommandOptions): Command {
  return storageCommand('rotate')
    .description(`Create a new key for ${owner}. Its old keys stay valid for a while.`)
    .argument(`<${id}>`)
    .option(
      '--overlap <time>',
      'how long the old keys stay valid: 30m, 24h, 7d; 0s expires them now',
      '24h',
    )
    .option('--key <key_id>', 'replace only this key')
    .option('--json', 'print {"key_id", "key", "replaced"}')
    .action((ownerId: string, options: { overlap: string; key?: string; json?: boolean }) => {
      const overlapMs = durationOf('--overlap', options.overlap)
      return withStorage({ ...options }, async (storage) => {
        const rotated = await keys(storage).rotate(ownerId, { overlapMs, keyId: options.key })
        const { key, record, replaced } = accepted(rotated)
        if (options.json) {
          return printJson({ key_id: record.key_id, key, replaced: replaced.map(returned) })
        }
        printKey(key, record)
        for (const old of replaced.map(returned)) {
          print(`${old.key_id} (${old.hint}…) expires at ${old.expires_at}`)
        }
      })
    })
}

function revoke({ owner, keys }: KeysCommandOptions): Command {
  return storageCommand('revoke')
    .description(`Revoke keys of ${owner}, immediately and permanently.`)
    .argument('<key_id...>')
    .action((keyIds: string[], options: Record<string, unknown>) =>
      withStorage(options, async (storage) => {
        const unknown: string[] = []
        for (const keyId of keyIds) {
          if (await keys(storage).revoke(keyId)) print(`revoked ${keyId}`)
          else unknown.push(keyId)
        }
        if (unknown.length > 0) {
          throw new UsageError(
            `${owner} has no key ${unknown.join(', ')}: list the keys to see them`,
          )
        }
      }),
    )
}

/** When any key of an owner was used last; null when none was. */
export async function lastUseOf(
  { apiKeys }: Pick<Storage, 'apiKeys'>,
  owner: KeyOwner,
): Promise<string | null> {
  const times = (await apiKeys.list(owner)).map(({ last_used_at }) => last_used_at ?? 0)
  const last = Math.max(0, ...times)
  return last === 0 ? null : iso(last)
}

function printKey(key: string, { key_id, expires_at }: ApiKeyRecord): void {
  print(`id:  ${key_id}`)
  print(`key: ${key}`)
  if (expires_at !== undefined) print(`It expires at ${iso(expires_at)}.`)
  print('Save the key: it cannot be displayed again.')
}

function returned(key: ApiKeyRecord) {
  const { key_id, hint, created_at, last_used_at, expires_at, revoked_at } = key
  const time = (at: number | undefined) => (at === undefined ? null : iso(at))
  const ended = revoked_at === undefined ? 'expired' : 'revoked'
  return {
    key_id,
    hint,
    state: isGood(key, systemClock.now()) ? 'good' : ended,
    created_at: iso(created_at),
    last_used_at: time(last_used_at),
    expires_at: time(expires_at),
    revoked_at: time(revoked_at),
  }
}

function accepted<T extends { ok: true }>(result: T | { ok: false; message: string }): T {
  if (!result.ok) throw new UsageError(result.message)
  return result
}
