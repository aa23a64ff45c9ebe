// Messages with valid defaults, on an inbox whose time is a fake clock.

import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '../../src/storage/sql/database.ts'
import { createInboxStore } from '../../src/storage/stores/inbox/inbox.ts'
import type {
  Accepted,
  AcceptLimits,
  Applied,
  NewMessage,
  ReceivedMessage,
} from '../../src/webhooks/receiver/store.ts'
import type { FakeClock } from './fake-clock.ts'

export const DAY_MS = 24 * 3_600_000
export const LEASE_MS = 15_000
export const LIMITS: AcceptLimits = {
  maxPerSender: 1_000,
  maxBytesPerSender: 1_000_000_000,
  retentionMs: DAY_MS,
}

const TABLES = ['webhook_inbox', 'webhook_inbox_senders', 'webhook_inbox_tasks']

export function newMessage(over: Partial<NewMessage> = {}): NewMessage {
  const body = over.body ?? Buffer.from('{"status":"working"}')
  return {
    sender: 'https://seller.example',
    idempotency_key: randomUUID(),
    digest: createHash('sha256').update(body).digest('hex'),
    route: 'main',
    family: 'task',
    task_id: `task-${randomUUID()}`,
    operation_id: 'op-1',
    status: 'working',
    event_at: Date.UTC(2026, 0, 1),
    body,
    ...over,
  }
}

/** The inbox of one database, each step in a transaction of its own. */
export function inboxOn(database: () => Database, clock: FakeClock) {
  let opened: { on: Database; inbox: ReturnType<typeof createInboxStore> } | undefined
  const woken: string[] = []
  const transact: Database['transact'] = (work) =>
    database().transact((tx) => {
      const wake = (topic: string) => {
        woken.push(topic)
        return tx.wake(topic)
      }
      return work({ ...tx, wake })
    })
  const inbox = () => {
    const on = database()
    if (opened?.on !== on) {
      opened = { on, inbox: createInboxStore({ ...on, transact }, { clock }) }
    }
    return opened.inbox
  }
  const accept = (messages: readonly NewMessage[], over: Partial<AcceptLimits> = {}) =>
    inbox().accept(messages, { ...LIMITS, ...over })
  const claim = (over: { limit?: number; leaseMs?: number; worker?: string } = {}) =>
    transact((tx) => inbox().claim(tx, { limit: 100, leaseMs: LEASE_MS, worker: 'w1', ...over }))
  const finish = (message: ReceivedMessage, outcome: Applied = { state: 'applied' }) =>
    transact((tx) => inbox().finish(tx, message, outcome))

  return {
    inbox,
    accept,
    claim,
    finish,
    /** Accepts one message. */
    one: async (
      over: Partial<NewMessage> = {},
      limits: Partial<AcceptLimits> = {},
    ): Promise<Accepted> => (await accept([newMessage(over)], limits))[0] as Accepted,
    /** Claims what there must be exactly one of. */
    claimOne: async (over: Parameters<typeof claim>[0] = {}): Promise<ReceivedMessage> => {
      const { claimed } = await claim(over)
      if (claimed.length !== 1) throw new Error(`expected one message, claimed ${claimed.length}`)
      return claimed[0] as ReceivedMessage
    },
    /** Applies all that is due. */
    applyAll: async (outcome: Applied = { state: 'applied' }) => {
      for (;;) {
        const { claimed } = await claim()
        if (claimed.length === 0) return
        await transact(async (tx) => {
          for (const message of claimed) await inbox().finish(tx, message, outcome)
        })
      }
    },
    /** The topics that `work` woke. */
    wokenBy: async (work: () => Promise<unknown>) => {
      const before = woken.length
      await work()
      return woken.slice(before)
    },
    position: (taskId: string, sender = 'https://seller.example') =>
      transact((tx) => inbox().position(tx, sender, taskId)),
    renew: (message: ReceivedMessage, leaseMs = LEASE_MS) =>
      transact((tx) => inbox().renew(tx, message, leaseMs)),
    release: (message: ReceivedMessage) => transact((tx) => inbox().release(tx, message)),
    retry: (messageId: number) => transact((tx) => inbox().retry(tx, messageId)),
    sweep: () => transact((tx) => inbox().sweep(tx)),
    /** The counters of the senders, and what they count. */
    counters: () =>
      database().read.all<{ sender: string; kept: number; changed: number; rows: number }>(
        `SELECT sender, kept, changed_bodies AS changed, (SELECT count(*) FROM webhook_inbox i
           WHERE i.sender = s.sender) AS rows FROM webhook_inbox_senders s ORDER BY sender`,
      ),
    clear: () =>
      database().transact(async (tx) => {
        for (const table of TABLES) await tx.run(`DELETE FROM ${table}`)
      }),
  }
}
