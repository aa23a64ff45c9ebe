// `adwire keys`: the keys that this operator signs with (spec 5). Works while servers run, which apply a change
// immediately on PostgreSQL and within seconds on SQLite.

import { readFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import type { Config } from '../app/config.ts'
import { keyPorts } from '../app/key-ports.ts'
import { SHORTEST_LEAD_SECONDS } from '../keys/lifecycle.ts'
import { addExternalKey, generateKey, revokeKey, rotateKey } from '../keys/manage-keys.ts'
import { describeKey, exportKey, type ListedKey, listKeys } from '../keys/show-keys.ts'
import { KEY_PURPOSES, type KeyPurpose, type SigningKeyRecord } from '../keys/store.ts'
import { systemClock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import type { Jwk } from '../signing/ports.ts'
import type { SigningAlgorithm } from '../signing/profile.ts'
import { addSettings, storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

export function keysCommand(): Command {
  return new Command('keys')
    .description('Manage the keys that sign this operator’s webhooks and requests.')
    .addCommand(list())
    .addCommand(generate())
    .addCommand(rotate())
    .addCommand(revoke())
    .addCommand(exportOne())
}

const ALGORITHMS: readonly SigningAlgorithm[] = ['ed25519', 'ecdsa-p256-sha256']

interface KeyOptions {
  alg?: SigningAlgorithm
  purpose: KeyPurpose
  json?: boolean
}

function list(): Command {
  return storageCommand('list')
    .description('List the keys with their states and times.')
    .option('--json', 'print a JSON array')
    .action((options: { json?: boolean }) =>
      withStorage({ ...options }, async (storage) => {
        const keys = await listKeys(storage, systemClock.now())
        if (options.json) return printJson(keys)
        printTable(
          ['kid', 'purpose', 'algorithm', 'state', 'private', 'signs from', 'until', 'removed'],
          keys.map(rowOf),
        )
      }),
    )
}

function rowOf(key: ListedKey): string[] {
  return [
    key.kid,
    key.purpose,
    key.algorithm,
    key.state,
    key.private_key,
    key.active_from ?? '-',
    key.retired_at ?? '-',
    key.revoked_at ?? key.remove_at ?? '-',
  ]
}

function generate(): Command {
  return keyCommand('generate')
    .description('Create and publish a key. It signs after the next rotation.')
    .option('--held-elsewhere <file>', 'publish the public JWK in this file instead of a new key')
    .action((options: KeyOptions & { heldElsewhere?: string }) =>
      withKeys(options, async (ports) => {
        const { purpose, heldElsewhere: file } = options
        const { key } = accepted(
          file === undefined
            ? await generateKey(ports, wantedKey(options))
            : await addExternalKey(ports, await readJwk(file), { purpose }),
        )
        if (options.json) return printJson(described(key))
        const signs = key.active_from !== null
        print(`${key.kid} is published and ${signs ? 'signs from now on' : 'does not sign yet'}`)
      }),
    )
}

function rotate(): Command {
  return addSettings(keyCommand('rotate'), ['keyLeadSeconds'])
    .description('Switch signing to the published key that is waiting, or to a new one.')
    .option(
      '--now',
      `reduce the lead time to ${SHORTEST_LEAD_SECONDS} seconds; verifiers that cached the old keys may refuse signatures for a while`,
    )
    .option('--new-secret', 'the old ADWIRE_KEY_SECRET is lost or must be replaced with this one')
    .action((options: KeyOptions & { now?: boolean; newSecret?: boolean }) =>
      withKeys(options, async (ports, config) => {
        const leadSeconds = options.now ? SHORTEST_LEAD_SECONDS : config.keyLeadSeconds
        const newSecret = options.newSecret === true
        const wanted = { ...wantedKey(options), leadSeconds, newSecret }
        const { key, retired } = accepted(await rotateKey(ports, wanted))
        if (options.json) {
          return printJson({ key: described(key), retired: retired.map(described) })
        }
        print(`${key.kid} signs from ${described(key).active_from}`)
        for (const old of retired.map(described)) {
          print(`${old.kid} signs until ${old.retired_at} and is published until ${old.remove_at}`)
        }
      }),
    )
}

function revoke(): Command {
  return withSecret(storageCommand('revoke'))
    .description('Revoke a key immediately and permanently. Everything it signed becomes invalid.')
    .argument('<kid>')
    .option('--json', 'print {"revoked", "signs_now"}')
    .action((kid: string, options: { json?: boolean }) =>
      withKeys(options, async (ports) => {
        const { key, signsNow } = accepted(await revokeKey(ports, kid))
        if (options.json) {
          return printJson({ revoked: described(key), signs_now: described(signsNow) })
        }
        print(`revoked ${kid}`)
        print(`${signsNow.kid} signs now`)
      }),
    )
}

function exportOne(): Command {
  return addSettings(withSecret(storageCommand('export')), ['protocolName'])
    .description('Print the public key as a JWK, as it is published.')
    .argument('<kid>')
    .option('--private', 'also print the private key: anyone who has it can sign as this operator')
    .action((kid: string, options: { private?: boolean }) =>
      withKeys(options, async (ports) => {
        const withPrivate = options.private === true
        printJson(accepted(await exportKey(ports, kid, { withPrivate })).jwk)
      }),
    )
}

function keyCommand(name: string): Command {
  return withSecret(storageCommand(name))
    .addOption(
      new Option(
        '--alg <algorithm>',
        'default: ed25519, or the algorithm of the previous key',
      ).choices(ALGORITHMS),
    )
    .addOption(
      new Option('--purpose <purpose>', 'what the key signs')
        .choices(KEY_PURPOSES)
        .default('webhook-signing'),
    )
    .option('--json', 'print the key as JSON, without its private part')
}

function withSecret(command: Command): Command {
  return addSettings(command, ['keySecret'])
}

function withKeys(
  options: object,
  work: (ports: ReturnType<typeof keyPorts>, config: Config) => Promise<void>,
): Promise<void> {
  return withStorage({ ...options }, (storage, config) => work(keyPorts(config, storage), config))
}

function wantedKey({ alg, purpose }: KeyOptions) {
  return { purpose, ...defined({ algorithm: alg ? alg : undefined }) }
}

function described(key: SigningKeyRecord): ListedKey {
  return describeKey(key, systemClock.now())
}

function accepted<T extends { ok: true }>(result: T | { ok: false; message: string }): T {
  if (!result.ok) throw new UsageError(result.message)
  return result
}

async function readJwk(file: string): Promise<Jwk> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Jwk
  } catch (error) {
    throw new UsageError(`cannot read ${file} as JSON`, { cause: error })
  }
  throw new UsageError(`${file} must contain one JWK`)
}
