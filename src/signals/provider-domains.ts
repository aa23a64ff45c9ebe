// The providers of the offered data, as the capabilities declare it (spec 4.5): the domains of the providers of all
// public signals. Read again, in parts, when the catalogue has changed.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../lib/clock.ts'
import type { SignalStore } from './store.ts'

type Domains = readonly string[] | undefined

/** Rows per step, so that other work can run in between. */
const PART = 5_000
/** The response stays small however many providers there are. */
const MOST = 500
/** A catalogue that changes constantly is not read again for each change. */
const LEAST_AGE_MS = 10_000

/** Undefined while there are none. */
export function createProviderDomains(
  signals: Pick<SignalStore, 'providerDomains' | 'latest'>,
  clock: Clock,
): () => Promise<Domains> {
  let known: { seq: number; at: number; domains: Domains } | undefined
  let reading: Promise<Domains> | undefined
  const refresh = async (): Promise<Domains> => {
    const seq = await signals.latest()
    const domains = known?.seq === seq ? known.domains : await read(signals)
    known = { seq, at: clock.now(), domains }
    return domains
  }
  return () => {
    if (known && clock.now() - known.at < LEAST_AGE_MS) return Promise.resolve(known.domains)
    reading ??= refresh().finally(() => {
      reading = undefined
    })
    return reading
  }
}

async function read(signals: Pick<SignalStore, 'providerDomains'>): Promise<Domains> {
  const domains = new Set<string>()
  let after: string | undefined
  do {
    const part = await signals.providerDomains(after, PART)
    for (const domain of part.domains) domains.add(domain)
    after = part.next
    await nextTurn()
  } while (after !== undefined && domains.size < MOST)
  return domains.size === 0 ? undefined : [...domains].sort().slice(0, MOST)
}
