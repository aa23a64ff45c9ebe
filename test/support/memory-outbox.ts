// The sender's stores in memory, for tests of what stands above them: transactions that are undone
// when they throw, leases with fencing, and a database that can be away. It has no circuits.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src/lib/clock.ts'
import {
  type OnWake,
  StorageUnavailable,
  type Transact,
  type Transaction,
} from '../../src/lib/transaction.ts'
import {
  type AttemptResult,
  type Channel,
  type ChannelStore,
  type ClaimedDelivery,
  DELIVERIES_TOPIC,
  type DeliveryState,
  type NewChannel,
  type NewDelivery,
  type OutboxStore,
} from '../../src/webhooks/sender/store.ts'

interface StoredDelivery extends Omit<NewDelivery, 'channel'> {
  delivery_id: number
  channel_id: string
  owner: string
  subject: string
  endpoint: string
  state: DeliveryState
  reason: string | undefined
  attempts: number
  due_at: number
  lease_until: number
  created_at: number
  expires_at: number
}

interface StoredAttempt {
  delivery_id: number
  attempt: number
  /** Undefined while it is under way. */
  result: AttemptResult | undefined
}

interface State {
  channels: Channel[]
  deliveries: StoredDelivery[]
  attempts: StoredAttempt[]
}

export interface MemoryOutbox {
  transact: Transact
  onWake: OnWake
  channels: Pick<ChannelStore, 'put' | 'ofSubject' | 'ofSubjects' | 'list' | 'delete'>
  outbox: Pick<
    OutboxStore,
    'add' | 'room' | 'checkRoom' | 'claim' | 'record' | 'giveBack' | 'expire' | 'stats'
  >
  /** What is committed. */
  state(): Readonly<State>
  /** While true, every transaction is refused. */
  setAway(isAway: boolean): void
  /** Committed transactions in which this method of the outbox was called. */
  commits(method: 'claim' | 'record' | 'giveBack' | 'expire'): number
}

export function memoryOutbox(clock: Clock): MemoryOutbox {
  let state: State = { channels: [], deliveries: [], attempts: [] }
  let isAway = false
  let queue: Promise<unknown> = Promise.resolve()
  const listeners = new Set<() => void>()
  const committed: string[] = []
  let called: string[] = []

  const transact: Transact = (work) => {
    const run = async () => {
      if (isAway) throw new StorageUnavailable('the database is away')
      const before = structuredClone(state)
      let isWoken = false
      called = []
      const tx: Transaction = {
        now: async () => clock.now(),
        wake: async () => {
          isWoken = true
        },
      }
      try {
        const answer = await work(tx)
        if (isAway) throw new StorageUnavailable('the commit did not come through')
        committed.push(...called)
        if (isWoken) for (const listener of [...listeners]) listener()
        return answer
      } catch (error) {
        state = before
        throw error
      }
    }
    const turn = queue.then(run)
    queue = turn.catch(() => {})
    return turn
  }

  const outbox: MemoryOutbox['outbox'] = {
    room: async () => Number.POSITIVE_INFINITY,
    checkRoom: async () => {},
    add: async (tx, deliveries, horizonMs) => {
      for (const delivery of deliveries) state.deliveries.push(stored(delivery, horizonMs))
      await tx.wake(DELIVERIES_TOPIC)
    },
    claim: async (_tx, { limit, leaseMs, choose }) => {
      called.push('claim')
      const now = clock.now()
      for (const delivery of state.deliveries) {
        if (delivery.state === 'leased' && delivery.lease_until <= now) delivery.state = 'pending'
      }
      const leased = state.deliveries.filter((one) => one.state === 'leased')
      const pending = state.deliveries
        .filter((one) => one.state === 'pending')
        .sort((a, b) => a.due_at - b.due_at || a.delivery_id - b.delivery_id)
      const busy = new Set(leased.map(pairOf))
      const due = pending.filter((one) => {
        if (one.due_at > now || one.expires_at <= now || busy.has(pairOf(one))) return false
        busy.add(pairOf(one))
        return true
      })
      const chosen = choose(due, leased).slice(0, limit)
      const claimed = chosen.map(({ delivery_id }) => lease(delivery_id, now, leaseMs))
      const left = pending.filter((one) => one.state === 'pending')
      return { claimed, isCutShort: false, nextDueAt: left[0]?.due_at }
    },
    record: async (_tx, results) => {
      called.push('record')
      return results.map(recordOne)
    },
    giveBack: async (_tx, claims) => {
      called.push('giveBack')
      for (const { delivery_id, attempt, inMs } of claims) {
        const delivery = byId(delivery_id)
        if (delivery.state !== 'leased' || delivery.attempts !== attempt) continue
        Object.assign(delivery, { state: 'pending', due_at: clock.now() + inMs })
        delivery.attempts -= 1
        state.attempts = state.attempts.filter(
          (one) => one.delivery_id !== delivery_id || one.attempt !== attempt,
        )
      }
    },
    expire: async () => {
      called.push('expire')
      const late = state.deliveries.filter(
        (one) => one.state === 'pending' && one.expires_at <= clock.now(),
      )
      for (const delivery of late) Object.assign(delivery, { state: 'exhausted', reason: 'late' })
      return late.length
    },
    stats: async () => {
      const count = (wanted: DeliveryState) =>
        state.deliveries.filter((one) => one.state === wanted).length
      const waiting = { pending: count('pending'), leased: count('leased'), held: count('held') }
      return { waiting, oldestDueMs: 0, openCircuits: 0, limbo: 0 }
    },
  }

  function stored({ channel, ...delivery }: NewDelivery, horizonMs: number): StoredDelivery {
    const { channel_id, owner, subject, endpoint } = channel
    const now = clock.now()
    return {
      ...delivery,
      channel_id,
      owner,
      subject,
      endpoint,
      attempts: 0,
      lease_until: 0,
      reason: undefined,
      delivery_id: state.deliveries.length + 1,
      state: channel.paused_at === undefined ? 'pending' : 'cancelled',
      due_at: now,
      created_at: now,
      expires_at: now + horizonMs,
    }
  }

  function lease(deliveryId: number, now: number, leaseMs: number): ClaimedDelivery {
    const delivery = byId(deliveryId)
    delivery.state = 'leased'
    delivery.lease_until = now + leaseMs
    delivery.attempts += 1
    const { attempts: attempt, created_at, expires_at, idempotency_key, body, token } = delivery
    state.attempts.push({ delivery_id: deliveryId, attempt, result: undefined })
    const channel = state.channels.find((one) => one.channel_id === delivery.channel_id)
    if (!channel) throw new Error('the channel is gone')
    return {
      delivery_id: deliveryId,
      attempt,
      scheduledAttempt: attempt,
      idempotency_key,
      body,
      token,
      channel: { ...channel },
      created_at,
      expires_at,
      claimed_at: now,
    }
  }

  function recordOne(result: AttemptResult): boolean {
    const delivery = byId(result.delivery_id)
    const isCurrent = delivery.state === 'leased' && delivery.attempts === result.attempt
    if (!isCurrent || delivery.lease_until <= clock.now()) return false
    const { next } = result
    delivery.state = next.state
    if (next.state === 'pending') delivery.due_at = clock.now() + next.inMs
    if (next.state === 'exhausted') delivery.reason = next.reason
    for (const attempt of state.attempts) {
      const isThis = attempt.delivery_id === result.delivery_id
      if (isThis && attempt.attempt === result.attempt) attempt.result = result
    }
    if (!result.isGone) return true
    for (const channel of state.channels) {
      if (channel.channel_id === delivery.channel_id) channel.paused_at = clock.now()
    }
    return true
  }

  function byId(deliveryId: number): StoredDelivery {
    const found = state.deliveries.find((one) => one.delivery_id === deliveryId)
    if (!found) throw new Error(`there is no delivery ${deliveryId}`)
    return found
  }

  return {
    transact,
    onWake: (_topic, listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    channels: memoryChannels(() => state, clock),
    outbox,
    state: () => structuredClone(state),
    setAway: (value) => {
      isAway = value
    },
    commits: (method) => committed.filter((one) => one === method).length,
  }
}

function memoryChannels(state: () => State, clock: Clock): MemoryOutbox['channels'] {
  const isUnder = (key: Pick<NewChannel, 'owner' | 'subject' | 'name'>) => (one: Channel) =>
    one.owner === key.owner && one.subject === key.subject && one.name === key.name
  const ofSubject = (subject: string) => state().channels.filter((one) => one.subject === subject)
  return {
    put: async (_tx, channel, most) => {
      const known = state().channels.find(isUnder(channel))
      const others = ofSubject(channel.subject).filter((one) => one.owner === channel.owner)
      if (!known && others.length >= most) return 'full'
      const now = clock.now()
      if (known) return Object.assign(known, channel, { paused_at: undefined, updated_at: now })
      const added: Channel = {
        ...channel,
        channel_id: randomUUID(),
        paused_at: undefined,
        created_at: now,
        updated_at: now,
      }
      state().channels.push(added)
      return { ...added }
    },
    ofSubject: async (_tx, subject) => ofSubject(subject),
    ofSubjects: async (_tx, subjects) =>
      new Map(subjects.map((subject) => [subject, ofSubject(subject)])),
    list: async (owner, subject) => ofSubject(subject).filter((one) => one.owner === owner),
    delete: async (_tx, key) => {
      const index = state().channels.findIndex(isUnder(key))
      if (index >= 0) state().channels.splice(index, 1)
      return index >= 0
    },
  }
}

/** At most one of these is leased at a time. */
function pairOf({ owner, subject, endpoint }: StoredDelivery): string {
  return `${owner} ${subject} ${endpoint}`
}
