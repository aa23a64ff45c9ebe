// `adwire impairments`: what keeps media buys from delivering as they were bought (spec 6.3), raised and cleared by
// an operator. Entry, health and webhook commit together; servers on the same database send the reports when a window
// ends.

import { Command, Option } from 'commander'
import type { Config } from '../app/config.ts'
import type { Storage } from '../app/open-storage.ts'
import type { Transaction } from '../lib/transaction.ts'
import {
  type ImpairmentRecord,
  type NewImpairment,
  serializeImpairment,
} from '../media-buys/impairments/impairment.ts'
import { readImpairment } from '../media-buys/impairments/impairment-query.ts'
import type { ImpairmentWatchPorts } from '../media-buys/impairments/watch-buys.ts'
import type { MediaBuyRecord } from '../media-buys/media-buy.ts'
import { isEnded } from '../media-buys/states.ts'
import { IMPAIRMENT_TYPES, REASON_CODES, RESOURCE_TYPES } from '../protocol/impairment-words.ts'
import { iso, wholeNumber } from './arguments.ts'
import { repeatable } from './repeatable.ts'
import { addSettings, storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

export function impairmentsCommand(): Command {
  return new Command('impairments')
    .description('Raise, clear and list impairments of media buys.')
    .addCommand(raise())
    .addCommand(clear())
    .addCommand(list())
    .addCommand(resend())
}

interface RaiseFlags {
  resourceType: NewImpairment['resource_type']
  resourceId: string
  to: string
  from?: string
  reasonCode: NewImpairment['reason_code']
  type: NewImpairment['impairment_type']
  package?: string[]
  reason?: string
  remediation?: string
  json?: boolean
}

/** Loaded only by commands that need it: the help of a command needs no schema. */
const keeping = () => import('../media-buys/impairments/keep-impairments.ts')

const reportingCommand = (name: string) =>
  addSettings(storageCommand(name), ['keySecret', 'impairmentWindowSeconds', 'formatsDir'])

function raise(): Command {
  return reportingCommand('raise')
    .description('Raise an impairment of a media buy, or update the one of the same resource.')
    .argument('<media_buy_id>')
    .addOption(
      new Option('--resource-type <type>', 'type of the impaired resource')
        .choices(RESOURCE_TYPES)
        .makeOptionMandatory(),
    )
    .requiredOption('--resource-id <id>', 'which one')
    .requiredOption('--to <state>', 'new state of the resource: suspended, rejected, withdrawn …')
    .option('--from <state>', 'previous state of the resource')
    .addOption(
      new Option('--reason-code <code>', 'why').choices(REASON_CODES).makeOptionMandatory(),
    )
    .addOption(
      new Option('--type <type>', 'fraud and safety are reported immediately')
        .choices(IMPAIRMENT_TYPES)
        .default('general'),
    )
    .option('--package <id>', 'affected package; repeatable; default: all packages', repeatable)
    .option('--reason <text>', 'human-readable reason, up to 500 characters')
    .option('--remediation <text>', 'how to resolve it, up to 500 characters')
    .option('--json', 'print the impairment')
    .action((id: string, flags: RaiseFlags) =>
      withBuy(id, flags, async ({ ports, tx, buy }) => {
        const { raiseImpairment } = await keeping()
        const record = await raiseImpairment(ports, tx, {
          buy,
          wanted: { ...wantedOf(buy, flags), raised_by: 'operator' },
        })
        return () =>
          flags.json
            ? printJson(serializeImpairment(record))
            : print(`impairment ${record.impairment_id} of ${id}`)
      }),
    )
}

function wantedOf(buy: MediaBuyRecord, flags: RaiseFlags): NewImpairment {
  const { resourceType: resource_type, resourceId: resource_id, reasonCode: reason_code } = flags
  const { to, from, reason, remediation } = flags
  const read = readImpairment(buy, {
    impairment_type: flags.type,
    resource_type,
    resource_id,
    to,
    from,
    reason_code,
    package_ids: flags.package,
    reason,
    remediation,
  })
  if (read.ok) return read.wanted
  throw new UsageError(`${FLAGS[read.field] ?? `--${read.field}`} ${read.message}`)
}

/** Fields whose flag has a different name. */
const FLAGS: Readonly<Record<string, string>> = {
  resource_id: '--resource-id',
  package_ids: '--package',
}

function clear(): Command {
  return reportingCommand('clear')
    .description('Clear an impairment once its cause is resolved.')
    .argument('<impairment_id>')
    .action((id: string, options: Record<string, unknown>) =>
      withImpairment(id, options, async ({ ports, tx, buy, record }) => {
        if (record.cleared_at !== undefined) {
          throw new UsageError(`impairment ${id} was already cleared at ${iso(record.cleared_at)}`)
        }
        const { clearImpairment } = await keeping()
        await clearImpairment(ports, tx, { buy, record })
        return () => print(`cleared ${id}`)
      }),
    )
}

function resend(): Command {
  return reportingCommand('resend')
    .description(
      'Send a notification again, with the same notification_id and a new idempotency_key.',
    )
    .argument('<media_buy_id>')
    .argument('<notification_id>')
    .action((mediaBuyId: string, id: string, options: Record<string, unknown>) =>
      withBuy(mediaBuyId, options, async ({ ports, tx, buy }) => {
        const { notifyAgain } = await keeping()
        if (!(await notifyAgain(ports, tx, { buy, notification_id: id }))) {
          throw new UsageError(`no impairment ${id} was reported for ${mediaBuyId}`)
        }
        return () => print(`reported again: ${id}`)
      }),
    )
}

interface ListFlags {
  mediaBuy?: string
  principal?: string
  all?: boolean
  limit: string
  json?: boolean
}

function list(): Command {
  return storageCommand('list')
    .description('List impairments, newest first.')
    .option('--media-buy <id>', 'only this media buy')
    .option('--principal <id>', 'only this principal')
    .option('--all', 'include cleared impairments')
    .option('--limit <n>', 'maximum number of rows', '50')
    .option('--json', 'print a JSON array')
    .action((flags: ListFlags) =>
      withStorage({ ...flags }, async ({ impairments }) => {
        const found = await impairments.list({
          media_buy_id: flags.mediaBuy,
          owner: flags.principal,
          withCleared: flags.all,
          limit: wholeNumber('--limit', flags.limit),
        })
        if (flags.json) return printJson(found.map(serializeRecord))
        printTable(
          ['id', 'media buy', 'type', 'resource', 'now', 'why', 'by', 'observed', 'cleared'],
          found.map((one) => [
            one.impairment_id,
            one.media_buy_id,
            one.impairment_type,
            `${one.resource_type} ${one.resource_id}`,
            one.transition.to,
            one.reason_code,
            one.raised_by,
            iso(one.observed_at),
            one.cleared_at === undefined ? '-' : iso(one.cleared_at),
          ]),
        )
      }),
    )
}

function serializeRecord(record: ImpairmentRecord): object {
  const { media_buy_id, owner, raised_by, cleared_at } = record
  const cleared = cleared_at === undefined ? null : iso(cleared_at)
  return { ...serializeImpairment(record), media_buy_id, owner, raised_by, cleared_at: cleared }
}

interface Held {
  ports: ImpairmentWatchPorts
  tx: Transaction
  buy: MediaBuyRecord
}

/** Output is printed only after the commit. */
type Work<H> = (held: H) => Promise<() => void>

function withBuy(id: string, options: object, work: Work<Held>): Promise<void> {
  return withStorage({ ...options }, async (storage, config) => {
    const ports = await portsOn(storage, config)
    const report = await storage.transact(async (tx) => {
      const buy = await heldBuy(storage, tx, id)
      return work({ ports, tx, buy })
    })
    report()
  })
}

function withImpairment(
  id: string,
  options: object,
  work: Work<Held & { record: ImpairmentRecord }>,
): Promise<void> {
  return withStorage({ ...options }, async (storage, config) => {
    const ports = await portsOn(storage, config)
    const report = await storage.transact(async (tx) => {
      const known = await storage.impairments.find(tx, id)
      if (!known) {
        throw new UsageError(
          `no impairment ${id}: list the impairments with adwire impairments list`,
        )
      }
      const buy = await heldBuy(storage, tx, known.media_buy_id)
      // As it is now that the buy is held.
      const record = (await storage.impairments.find(tx, id)) ?? known
      return work({ ports, tx, buy, record })
    })
    report()
  })
}

async function heldBuy(storage: Storage, tx: Transaction, id: string): Promise<MediaBuyRecord> {
  const buy = await storage.mediaBuys.lock(tx, { media_buy_id: id })
  if (!buy) throw new UsageError(`there is no media buy ${id}`)
  if (isEnded(buy.status))
    throw new UsageError(`the media buy ${id} is ${buy.status}: no notifications are sent for it`)
  return buy
}

async function portsOn(storage: Storage, config: Config): Promise<ImpairmentWatchPorts> {
  const { channelBox } = await import('../app/channel-box.ts')
  const { impairmentPorts } = await import('../app/impairment-ports.ts')
  const { createEmitter } = await import('../webhooks/sender/emit.ts')
  const box = await channelBox(config, storage)
  const onFault = (error: unknown) =>
    void process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  const emitter = createEmitter({ ...storage, box, onFault })
  return impairmentPorts({ config, storage }, emitter)
}
