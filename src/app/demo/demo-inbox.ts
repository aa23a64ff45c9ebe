// What the demo's receiver was sent: webhooks of a seller that were applied, one that came too late, and one that
// could not be applied. Stored as a receiver on the same database would have stored them.

import { createHash, randomUUID } from 'node:crypto'
import type { Transaction } from '../../lib/transaction.ts'
import { createInboxStore } from '../../storage/stores/inbox/inbox.ts'
import type { Applied, NewMessage } from '../../webhooks/receiver/store.ts'
import type { Storage } from '../open-storage.ts'

const SELLER = 'https://seller.demo.example'
const LIMITS = { maxPerSender: 1_000, maxBytesPerSender: 1e8, retentionMs: 30 * 86_400_000 }
const LEASE_MS = 60_000
const MINUTE_MS = 60_000

const SENT: readonly { status: string; minutesAgo: number; outcome: Applied }[] = [
  { status: 'working', minutesAgo: 180, outcome: { state: 'applied' } },
  { status: 'completed', minutesAgo: 150, outcome: { state: 'applied' } },
  { status: 'input-required', minutesAgo: 95, outcome: { state: 'applied' } },
  {
    status: 'working',
    minutesAgo: 96,
    outcome: { state: 'stale', reason: 'a later status was applied: input-required' },
  },
  { status: 'completed', minutesAgo: 40, outcome: { state: 'applied' } },
  {
    status: 'failed',
    minutesAgo: 25,
    outcome: { state: 'dead', reason: 'the command ended with code 1: orders.csv is read-only' },
  },
]

/** Outside the transaction of the rest: an inbox commits what it accepts itself. */
export async function addDemoMessages({ database, transact }: Storage): Promise<void> {
  const inbox = createInboxStore(database)
  const now = await transact((tx) => tx.now())
  for (const [n, { status, minutesAgo, outcome }] of SENT.entries()) {
    await inbox.accept([messageOf(n, status, now - minutesAgo * MINUTE_MS)], LIMITS)
    await transact((tx: Transaction) => apply(inbox, tx, outcome))
  }
}

async function apply(
  inbox: ReturnType<typeof createInboxStore>,
  tx: Transaction,
  outcome: Applied,
): Promise<void> {
  const { claimed } = await inbox.claim(tx, { limit: 1, leaseMs: LEASE_MS, worker: 'demo' })
  for (const message of claimed) await inbox.finish(tx, message, outcome)
}

function messageOf(n: number, status: string, at: number): NewMessage {
  const idempotency_key = randomUUID()
  const ids = { task_id: `task_demo_seller_${n}`, operation_id: `spring-campaign-${n}` }
  const envelope = {
    idempotency_key,
    ...ids,
    task_type: 'create_media_buy',
    domain: 'media-buy',
    status,
    timestamp: new Date(at).toISOString(),
    message: `the media buy is ${status}`,
  }
  const body = Buffer.from(JSON.stringify(envelope))
  return {
    sender: SELLER,
    idempotency_key,
    route: 'seller',
    family: 'task',
    status,
    ...ids,
    digest: createHash('sha256').update(body).digest('base64url'),
    event_at: at,
    body,
  }
}
