// Keeps the profiles of agents up to date with their authorizations. A change of those writes a mark in its
// transaction; a worker takes the marks and computes the profiles, page by page. That way, crawls do not wait for
// each other on the row of an agent that thousands of publishers name.

import { createPacer } from '../../lib/pacer.ts'
import { createPoller, type Poller } from '../../lib/poller.ts'
import type { OnWake, Transact, Transaction } from '../../lib/transaction.ts'
import { isInEffect, type Terms } from '../authorizations/authorization.ts'
import type { FeedStore } from '../store.ts'
import {
  addPublisher,
  emptyInventory,
  type Inventory,
  profileOf,
  type SoldProperty,
} from './profile.ts'
import { profileEvents } from './profile-events.ts'
import type { ClaimedProfile, ProfileStore, SoldProperties } from './store.ts'

const PROFILE_TOPIC = 'registry.profiles'

/** In the transaction of the change. */
export async function markProfiles(
  { profiles }: { profiles: Pick<ProfileStore, 'mark'> },
  tx: Transaction,
  agentUrls: readonly string[],
): Promise<void> {
  const agents = [...new Set(agentUrls)]
  if (agents.length === 0) return
  await profiles.mark(tx, agents)
  await tx.wake(PROFILE_TOPIC)
}

export interface ProfileWorkerPorts {
  profiles: ProfileStore
  feed: FeedStore
  transact: Transact
  onWake: OnWake
  onFault: (error: unknown) => void
}

const POLL_MS = 5_000
const LEASE_MS = 5 * 60_000
const MARKS_AT_ONCE = 500
const ROWS_AT_ONCE = 50
/** Per authorization, in milliseconds: an agent with a million of them is computed at most every 17 minutes. */
const PAUSE_PER_ROW_MS = 1
/** Below this there is no pause. */
const FEW_ROWS = 1_000

export function createProfileWorker(ports: ProfileWorkerPorts): {
  start(): void
  stop(): Promise<void>
} {
  const { transact, profiles } = ports
  let unsubscribe = () => {}
  const looks: Poller = createPoller({
    name: 'worker: compute profiles of agents',
    intervalMs: POLL_MS,
    onFault: ports.onFault,
    round: async (signal) => {
      const { taken, claimed } = await transact(async (tx) => ({
        taken: await profiles.takeMarks(tx, MARKS_AT_ONCE),
        claimed: await profiles.claim(tx, LEASE_MS),
      }))
      if (claimed) await refreshProfile(ports, claimed, signal)
      return claimed !== undefined || taken > 0
    },
  })
  return {
    start: () => {
      unsubscribe = ports.onWake(PROFILE_TOPIC, looks.wake)
      looks.start()
    },
    stop: async () => {
      unsubscribe()
      await looks.stop()
    },
  }
}

/**
 * A change during the computation marks the agent again: the result is then discarded, and the next round computes it
 * again.
 */
async function refreshProfile(
  { transact, profiles, feed }: ProfileWorkerPorts,
  claimed: ClaimedProfile,
  signal: AbortSignal,
): Promise<void> {
  const { agent_url } = claimed
  const startedAt = await transact((tx) => tx.now())
  const counted = await count(profiles, agent_url, { now: startedAt, signal })
  await transact(async (tx) => {
    const before = signal.aborted ? undefined : await profiles.lock(tx, claimed)
    if (!before) return profiles.release(tx, agent_url)
    const now = await tx.now()
    const after = profileOf(agent_url, counted.inventory, now)
    const pauseMs = counted.rows > FEW_ROWS ? counted.rows * PAUSE_PER_ROW_MS : 0
    await profiles.put(tx, after, { dueAt: counted.changesAt, notBefore: now + pauseMs })
    const listing = await profiles.listing(tx, agent_url)
    await feed.append(tx, profileEvents({ before, after, listing }))
  })
}

interface Counted {
  inventory: Inventory
  rows: number
  /** When the window of an authorization next begins or ends. */
  changesAt: number | undefined
}

async function count(
  profiles: Pick<ProfileStore, 'sold'>,
  agentUrl: string,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<Counted> {
  const pacer = createPacer()
  const counted: Counted = { inventory: emptyInventory(), rows: 0, changesAt: undefined }
  let open: OpenPublisher | undefined
  let after: SoldProperties | undefined
  while (!signal.aborted) {
    const page = await profiles.sold(agentUrl, { after, limit: ROWS_AT_ONCE })
    for (const row of page) {
      counted.rows += 1
      counted.changesAt = earlier(counted.changesAt, changeOf(row.terms, now))
      if (open?.domain !== row.publisher_domain) {
        close(counted.inventory, open)
        open = {
          domain: row.publisher_domain,
          isNamed: false,
          countries: [],
          properties: new Map(),
        }
      }
      if (isInEffect(row.terms, now)) addTo(open, row)
      if (pacer.isDue()) await pacer.pause()
    }
    after = page.at(-1)
    if (!after) break
  }
  close(counted.inventory, open)
  return counted
}

/** The publisher of the rows being read: what two of its rows name counts once. */
interface OpenPublisher {
  domain: string
  isNamed: boolean
  countries: string[]
  properties: Map<string, SoldProperty>
}

function addTo(open: OpenPublisher, { terms, properties }: SoldProperties): void {
  open.isNamed = true
  open.countries.push(...(terms.countries ?? []))
  for (const property of properties) open.properties.set(property.property_id, property)
}

function close(inventory: Inventory, open: OpenPublisher | undefined): void {
  if (!open?.isNamed) return
  const { domain, countries, properties } = open
  addPublisher(inventory, domain, { countries, properties: properties.values() })
}

function changeOf({ effective_from, effective_until }: Terms, now: number): number | undefined {
  const times = [effective_from, effective_until].map((time) => (time ? Date.parse(time) : 0))
  const ahead = times.filter((time) => time > now)
  return ahead.length > 0 ? Math.min(...ahead) : undefined
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return Math.min(a, b)
}
