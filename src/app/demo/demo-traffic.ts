// Sample data for the console of a demo: a day of deliveries to a buyer, successful and failed, deliveries that fail
// now at receivers of this same server, tasks that work, wait and fail, and media buys. The first start always adds
// the same data; a later one adds failing deliveries only when none are pending any more.

import { createPrincipal } from '../../agent/principals.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Transaction } from '../../lib/transaction.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { addPastDeliveries } from '../../storage/stores/outbox/past.ts'
import { beginTask } from '../../tasks/change-task.ts'
import { createEmitter } from '../../webhooks/sender/emit.ts'
import { endpointOf } from '../../webhooks/sender/endpoint.ts'
import type { Channel } from '../../webhooks/sender/store.ts'
import type { Storage } from '../open-storage.ts'
import { addWaitingBuy } from './demo-approval.ts'
import { addDemoBuys } from './demo-buys.ts'
import { addDemoMessages } from './demo-inbox.ts'
import { demoPast } from './demo-past.ts'
import { demoReceiverUrl } from './demo-routes.ts'

const BUYER = 'Demo buyer'

export interface DemoTraffic {
  /** The URL of the demo server itself. */
  url: string
  box: SecretBox
  onFault: (error: unknown) => void
}

/** Events that are sent now, by receiver: five failures in a row open the circuit of one. */
const LIVE = { well: 3, busy: 6, strict: 2, dead: 2 } as const
type Receiver = keyof typeof LIVE

export async function loadDemoTraffic(storage: Storage, traffic: DemoTraffic): Promise<void> {
  const { transact, outbox } = storage
  const known = (await storage.principals.list({ onlyDemo: true })).find(
    ({ name, revoked_at }) => name === BUYER && revoked_at === null,
  )
  const owner = known?.principal_id ?? (await newBuyer(storage))
  const { waiting } = await outbox.stats()
  const isQuiet = waiting.pending + waiting.leased + waiting.held === 0
  // Past deliveries are added first, since lists are ordered by the time of adding.
  const isFirst = (await storage.outboxOperations.list({ limit: 1 })).length === 0
  await transact(async (tx) => {
    // At every start: the server may listen on another port than before.
    const channels = await register(storage, tx, { owner, url: traffic.url })
    if (known && !isQuiet) return
    if (!known) {
      await addTasks(storage, tx, owner)
      await addWaitingBuy(storage, tx, owner)
    }
    const receiver = demoReceiverUrl(traffic.url, 'well')
    if (isFirst) await addDemoBuys(storage, tx, { owner, receiver })
    if (isFirst) await addPastDeliveries(tx, demoPast(channels, await tx.now()))
    const { box, onFault } = traffic
    await emitLive(createEmitter({ ...storage, box, onFault }), tx, channels)
  })
  if (!known) await addDemoMessages(storage)
}

async function newBuyer(storage: Storage): Promise<string> {
  const created = await createPrincipal(storage, { name: BUYER, isDemo: true })
  if (!created.ok) throw new Error(`demo buyer: ${created.message}`)
  return created.principal.principal_id
}

/** Nothing listens at this port of any machine. */
const DEAD = 'http://127.0.0.1:9/hook'

async function register(
  { channels }: Storage,
  tx: Transaction,
  { owner, url }: { owner: string; url: string },
): Promise<Channel[]> {
  const made: Channel[] = []
  for (const [name, count] of Object.entries(LIVE) as [Receiver, number][]) {
    const to = name === 'dead' ? DEAD : demoReceiverUrl(url, name)
    for (let n = 1; n <= count; n++) {
      const channel = await channels.put(
        tx,
        {
          owner,
          subject: `demo:${name}:${n}`,
          name: 'demo',
          form: 'mcp',
          url: to,
          endpoint: endpointOf(to),
          operation_id: `demo-${name}-${n}`,
          scheme: 'rfc9421',
          secrets: undefined,
          expires_at: undefined,
        },
        1,
      )
      if (channel !== 'full') made.push(channel)
    }
  }
  return made
}

async function emitLive(
  emitter: ReturnType<typeof createEmitter>,
  tx: Transaction,
  channels: readonly Channel[],
): Promise<void> {
  const at = await tx.now()
  for (const { owner, subject, operation_id = '' } of channels) {
    await emitter.emit(tx, {
      owner,
      subject,
      notification_type: 'completed',
      status: 'completed',
      at,
      task_id: `task_${operation_id}`,
      task_type: 'build_creative',
      domain: 'creative',
      message: 'a creative of the demo is ready',
    })
  }
}

/** Run by the runner like any other task, at the pace that they specify. */
const TASKS = [
  { duration_seconds: 1, steps: 2, outcome: 'completed' },
  { duration_seconds: 1, steps: 1, outcome: 'failed' },
  { duration_seconds: 1, steps: 1, outcome: 'input-required' },
  { duration_seconds: 3_600, steps: 60, outcome: 'completed' },
] as const

async function addTasks({ tasks }: Storage, tx: Transaction, owner: string): Promise<void> {
  for (const request of TASKS) {
    await beginTask({ tasks }, tx, {
      task_id: `task_${uuid7(await tx.now()).replaceAll('-', '')}`,
      owner,
      task_type: 'simulate_task',
      domain: 'tasks',
      status: 'submitted',
      request,
      context: undefined,
      context_id: undefined,
      is_told: true,
      has_webhook: false,
      state: { done: 0, hasRequested: false },
      idempotency_key: undefined,
      deadlineMs: 24 * 60 * 60 * 1_000,
    })
  }
}
