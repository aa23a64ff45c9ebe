// `report_usage` (of 3.x): stores what was used, record by record. An invalid record does not refuse the others.
// Final figures replace earlier ones of the same account, media buy and period.

import { randomUUID } from 'node:crypto'
import { defined } from '../lib/defined.ts'
import { isLongerAsJson } from '../lib/json-size.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { ProtocolError, type TaskError, taskError } from '../protocol/errors.ts'
import { keptExceeded } from '../protocol/quota.ts'
import {
  type ReportedUsage,
  type ReportUsageRequest,
  type ReportUsageResponse,
  reportUsageRequest,
  reportUsageResponse,
} from '../protocol/schemas/report-usage.ts'
import { type CallContext, type Caller, defineTask, type Task } from '../protocol/task.ts'
import { type AccountRecord, type AccountStore, findAccount } from './account-store.ts'
import { buyerOf } from './buyer-of.ts'
import { BUY_LIMITS } from './limits.ts'
import type { MediaBuyStore, PackageCreatives } from './store.ts'
import type { UsageRecord, UsageStore } from './usage-store.ts'

export interface UsagePorts {
  transact: Transact
  accounts: AccountStore
  buys: Pick<MediaBuyStore, 'lock'>
  creatives: Pick<PackageCreatives, 'find'>
  usage: UsageStore
  /** The pricing options of signals that the caller may see, by id; others are omitted. */
  signalPrices(
    caller: Caller | undefined,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
}

/** Units of a call, and for each record: looked up and written. */
const COST = { call: 50, record: 20 } as const

export function reportUsage(ports: UsagePorts): Task<ReportUsageRequest, ReportUsageResponse> {
  return defineTask({
    name: 'report_usage',
    summary: 'What was used of segments, creatives and media buys, and the amount due',
    area: 'media-buy',
    access: 'tasks',
    changes: true,
    request: reportUsageRequest,
    response: reportUsageResponse,
    cost: {
      grows: 'records',
      limit: 25_000,
      estimate: ({ usage }) => COST.call + COST.record * usage.length,
      reduce: { field: '/usage', advice: 'Send fewer records per call.' },
    },
    handle: (request, call) => keep(ports, request, call),
  })
}

async function keep(
  ports: UsagePorts,
  { usage, reporting_period }: ReportUsageRequest,
  call: CallContext,
): Promise<ReportUsageResponse> {
  const owner = buyerOf(call)
  const signals = usage.flatMap(({ signal_agent_segment_id: id }) => id ?? [])
  const prices = await ports.signalPrices(call.principal, [...new Set(signals)])
  const [start, end] = [Date.parse(reporting_period.start), Date.parse(reporting_period.end)]
  return ports.transact(async (tx): Promise<ReportUsageResponse> => {
    const limit = BUY_LIMITS.usageRecords.value
    const used = await ports.usage.count(tx, owner, limit)
    if (used + usage.length > limit) throw keptExceeded('usage records', { limit, used })
    const received_at = await tx.now()
    const check = createCheck(ports, tx, { owner, prices })
    const good: UsageRecord[] = []
    const errors: TaskError[] = []
    const accounts: AccountRecord[] = []
    for (const [index, one] of usage.entries()) {
      const checked = await check(one, `/usage/${index}`)
      if ('error' in checked) {
        errors.push(checked.error)
        continue
      }
      const { account } = checked
      accounts.push(account)
      const record: UsageRecord = {
        usage_id: `us_${randomUUID()}`,
        owner,
        account_id: account.account_id,
        ...defined({ media_buy_id: one.media_buy_id }),
        period_start: start,
        period_end: end,
        usage_record: one,
        is_superseded: false,
        received_at,
      }
      if (one.final) await ports.usage.supersede(tx, record)
      good.push(record)
    }
    await ports.usage.add(tx, good)
    const isSandbox = accounts.length > 0 && accounts.every(({ sandbox }) => sandbox)
    return {
      accepted: good.length,
      ...(errors.length > 0 ? { errors } : {}),
      ...(isSandbox ? { sandbox: true } : {}),
    }
  })
}

type Checked = { account: AccountRecord } | { error: TaskError }

/** Ids that many records share are looked up once. */
function createCheck(
  { accounts, buys, creatives }: UsagePorts,
  tx: Transaction,
  { owner, prices }: { owner: string; prices: ReadonlyMap<string, readonly string[]> },
): (one: ReportedUsage, pointer: string) => Promise<Checked> {
  const known = { accounts: new Map<string, AccountRecord>(), buys: new Map<string, unknown>() }
  const buyOf = async (media_buy_id: string) => {
    const before = known.buys.get(media_buy_id)
    if (before !== undefined) return before as Awaited<ReturnType<typeof buys.lock>>
    const found = await buys.lock(tx, { media_buy_id, owner })
    known.buys.set(media_buy_id, found ?? null)
    return found
  }
  const accountOf = async (ref: ReportedUsage['account']) => {
    const key = JSON.stringify(ref)
    const found = known.accounts.get(key) ?? (await findAccount(accounts, tx, { owner, ref }))
    known.accounts.set(key, found)
    return found
  }
  return async (one, pointer) => {
    const fault = (code: TaskError['code'], member: string, message: string): Checked => {
      const field = `${pointer}/${member}`
      return { error: taskError(code, `${field}: ${message}`, { field }) }
    }
    const { signal_agent_segment_id: signal, creative_id, media_buy_id, pricing_option_id } = one
    if (signal === undefined && creative_id === undefined && media_buy_id === undefined) {
      const message = 'Say what was used: signal_agent_segment_id, creative_id or media_buy_id.'
      return fault('INVALID_USAGE_DATA', 'media_buy_id', message)
    }
    if (one.finalized_at !== undefined && one.final !== true) {
      return fault('INVALID_USAGE_DATA', 'finalized_at', 'It belongs to records that are final.')
    }
    if (isLongerAsJson(one, BUY_LIMITS.termsBytes.value)) {
      const message = `Keep a record below ${BUY_LIMITS.termsBytes.value} bytes.`
      return fault('INVALID_USAGE_DATA', 'ext', message)
    }
    let account: AccountRecord
    try {
      account = await accountOf(one.account)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      return fault('ACCOUNT_NOT_FOUND', 'account', error.message)
    }
    const priced: string[] = []
    if (signal !== undefined) {
      const options = prices.get(signal)
      if (!options) {
        const message = 'no signal with this id is available to you'
        return fault('REFERENCE_NOT_FOUND', 'signal_agent_segment_id', message)
      }
      priced.push(...options)
    }
    if (media_buy_id !== undefined) {
      const buy = await buyOf(media_buy_id)
      const isOfAccount = buy?.account_id === undefined || buy.account_id === account.account_id
      if (!buy || !isOfAccount) {
        const message = 'this account has no media buy with this id'
        return fault('MEDIA_BUY_NOT_FOUND', 'media_buy_id', message)
      }
      if (signal === undefined && buy.currency !== one.currency) {
        return fault('INVALID_USAGE_DATA', 'currency', `The media buy is in ${buy.currency}.`)
      }
      priced.push(...buy.packages.map((it) => it.pricing_option_id))
    }
    if (creative_id !== undefined) {
      const found = await creatives.find(tx, owner, [creative_id])
      if (!found.has(creative_id)) {
        return fault('CREATIVE_NOT_FOUND', 'creative_id', 'no creative with this id belongs to you')
      }
    }
    const isPriced = priced.length === 0 || priced.includes(pricing_option_id ?? '')
    if (pricing_option_id !== undefined && !isPriced) {
      const message = `What was used has the pricing options ${[...new Set(priced)].join(', ')}.`
      return fault('INVALID_PRICING_OPTION', 'pricing_option_id', message)
    }
    return { account }
  }
}
