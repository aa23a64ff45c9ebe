// The work of `adwire webhook emit|subscribe|unsubscribe`, which needs schemas: its commands load it when they run.

import { randomUUID } from 'node:crypto'
import { channelBox } from '../app/channel-box.ts'
import type { Config } from '../app/config.ts'
import type { Storage } from '../app/open-storage.ts'
import { createEgress } from '../lib/safe-fetch/safe-fetch.ts'
import type { Issue } from '../protocol/errors.ts'
import type { WebhookFamily } from '../protocol/webhook-family.ts'
import { createNotify, subjectOfFamily } from '../webhooks/sender/notify.ts'
import { checkChannel } from '../webhooks/sender/register-channel.ts'
import { HORIZON_MS } from '../webhooks/sender/retry-policy.ts'
import type { NewChannel } from '../webhooks/sender/store.ts'
import { withStorage } from './settings-options.ts'
import { print, printJson, UsageError } from './terminal.ts'
import { readObject } from './webhook-files.ts'

/** The owner of channels that an operator identifies only by their address. */
const OPERATOR = 'operator'
/** A channel of a single emission outlives its delivery, so that it can be retried manually for a while. */
const CHANNEL_MS = HORIZON_MS * 7

export interface EmitFlags {
  body: string
  to?: string
  principal?: string
  json?: boolean
}

export async function emit(family: WebhookFamily, flags: EmitFlags): Promise<void> {
  const { to, principal } = flags
  if ((to === undefined) === (principal === undefined)) {
    throw new UsageError('give --to with an address, or --principal with an id')
  }
  const body = readObject(fileOf('--body', flags.body))
  await withStorage({ ...flags }, async (storage, config) => {
    const owner = principal ?? OPERATOR
    if (principal !== undefined) await knownPrincipal(storage, principal)
    const subject = to === undefined ? subjectOfFamily(family) : `emit:${randomUUID()}`
    const channel =
      to === undefined
        ? undefined
        : await channelFor({ owner, subject, name: 'to' }, { url: to }, { storage, config })
    const sent = await storage.transact(async (tx) => {
      if (channel) {
        const expires_at = (await tx.now()) + CHANNEL_MS
        await storage.channels.put(tx, { ...channel, expires_at }, 1)
      }
      const reported = await createNotify(storage)(tx, { owner, family, subject, body })
      // Thrown inside the transaction, so that the channel is not stored either.
      if (!reported.ok) throw new UsageError(`${flags.body}: ${faultsOf(reported.issues)}`)
      return reported.deliveries
    })
    if (sent === 0) {
      const right = `adwire webhook subscribe ${family} --principal ${principal} --config @file`
      throw new UsageError(`the principal has no subscription to ${family}: run ${right}`)
    }
    const deliveries = await storage.outboxOperations.list({ owner, subject, limit: sent })
    if (flags.json) {
      return printJson({
        deliveries: deliveries.map(({ delivery_id, idempotency_key, url }) => {
          return { delivery_id, idempotency_key, url }
        }),
      })
    }
    for (const { delivery_id, url } of deliveries) print(`delivery ${delivery_id} to ${url}`)
  })
}

export interface SubscribeFlags {
  principal: string
  config: string
  name: string
}

export async function subscribe(family: WebhookFamily, flags: SubscribeFlags): Promise<void> {
  const { principal: owner, name } = flags
  const wanted = readObject(fileOf('--config', flags.config))
  await withStorage({ ...flags }, async (storage, config) => {
    await knownPrincipal(storage, owner)
    const key = { owner, subject: subjectOfFamily(family), name }
    const channel = await channelFor(key, wanted, { storage, config })
    const kept = await storage.transact((tx) => storage.channels.put(tx, channel, MAX_CHANNELS))
    if (kept === 'full') {
      throw new UsageError(
        `the principal already has ${MAX_CHANNELS} subscriptions to ${family}, the maximum`,
      )
    }
    print(`subscribed ${owner} to ${family} at ${kept.endpoint}`)
  })
}

const MAX_CHANNELS = 10

export interface UnsubscribeFlags {
  principal: string
  name: string
}

export async function unsubscribe(family: WebhookFamily, flags: UnsubscribeFlags): Promise<void> {
  await withStorage({ ...flags }, async ({ transact, channels }) => {
    const key = { owner: flags.principal, subject: subjectOfFamily(family), name: flags.name }
    if (!(await transact((tx) => channels.delete(tx, key)))) {
      throw new UsageError(`${flags.principal} has no subscription ${flags.name} to ${family}`)
    }
    print(`unsubscribed ${flags.principal} from ${family}`)
  })
}

async function channelFor(
  key: Pick<NewChannel, 'owner' | 'subject' | 'name'>,
  wanted: object,
  { storage, config }: { storage: Storage; config: Config },
): Promise<NewChannel> {
  const { egressAllow, egressAllowHttp, allowBearerWebhooks: allowBearer } = config
  const egress = createEgress({ allow: egressAllow, allowHttp: egressAllowHttp })
  try {
    const box = await channelBox(config, storage)
    const checked = checkChannel(
      { ...key, form: 'mcp', config: wanted, pointer: '' },
      { box, allowBearer, checkUrl: egress.checkUrl },
    )
    if (!checked.ok) throw new UsageError(faultsOf(checked.issues))
    return checked.channel
  } finally {
    await egress.close()
  }
}

async function knownPrincipal(storage: Storage, principalId: string): Promise<void> {
  if (await storage.principals.get(principalId)) return
  throw new UsageError(
    `no principal ${principalId}: list the principals with adwire principals list`,
  )
}

function faultsOf(issues: readonly Issue[]): string {
  return issues.map(({ pointer, message }) => `${pointer || 'the body'}: ${message}`).join('; ')
}

/** `@file`, as in curl; the `@` may be omitted. */
function fileOf(flag: string, text: string): string {
  const file = text.startsWith('@') ? text.slice(1) : text
  if (file !== '') return file
  throw new UsageError(`${flag} must be a file, such as @body.json`)
}
