// Decides which addresses a request may connect to, for the egress guard: a name is resolved once, under a deadline,
// and one forbidden address refuses the whole answer. Connecting to exactly these addresses afterwards is what
// prevents DNS rebinding.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { createFairQueue } from '../fair-queue.ts'
import { type AllowList, checkAddress } from './addresses.ts'
import { bareHost, checkSchemeFor } from './check-url.ts'
import { createDirectQuery, type Query } from './direct-query.ts'
import { createNames, type NameQuery, type Names } from './names.ts'
import { type Refusal, refuse } from './outcome.ts'

export interface AddressFinder {
  /** The checked addresses of a URL that passed `checkUrl`, in the order to try them. */
  find(url: URL, requested: NameQuery): Promise<FoundAddresses>
  /** Gives up what is under way. */
  close(): void
}

type FoundAddresses = { ok: true; addresses: readonly string[] } | Refusal

export interface AddressFinderOptions {
  allow: AllowList
  /** Used instead of `dns` and `servers`. */
  resolve?: ((host: string) => Promise<readonly string[]>) | undefined
  dns?: 'direct' | 'system' | undefined
  servers?: readonly string[] | undefined
  timeoutMs: number
}

export function createAddressFinder(options: AddressFinderOptions): AddressFinder {
  const { allow, timeoutMs } = options
  const names = namesFor(options)

  return {
    async find(url, requested) {
      const host = bareHost(url)
      if (isIP(host) !== 0) return checkAnswer(url, [host], allow)
      const answer = await names.resolve(host, {
        ...requested,
        owner: requested.owner || `host ${host}`,
      })
      if (answer.kind === 'found') return checkAnswer(url, answer.addresses, allow)
      if (answer.kind === 'busy') {
        return refuse('busy', `too many names were waiting before ${host}: try again later`)
      }
      return answer.kind === 'late'
        ? refuse('dns_timeout', `the name ${host} was not resolved within ${timeoutMs} ms`)
        : refuse('dns_failed', `the name ${host} has no address`)
    },
    close: names.close,
  }
}

/** Maximum concurrent lookups of the system's resolver: half of the threads, so that the disk has the others. */
const SYSTEM_TURNS = { most: 2, perOwner: 1 }

function namesFor({ allow, resolve, dns, servers, timeoutMs }: AddressFinderOptions): Names {
  if (resolve) return createNames({ query: queryBy(resolve), timeoutMs })
  if (dns === 'system') {
    const turns = createFairQueue(SYSTEM_TURNS)
    return createNames({ query: queryBy(systemResolve), timeoutMs, turns })
  }
  const query = createDirectQuery({ servers, usesSearchList: allow.length > 0 })
  return createNames({ query, timeoutMs })
}

/** Answers without a TTL are valid for one request. */
function queryBy(resolve: (host: string) => Promise<readonly string[]>): Query {
  return async (host) => {
    try {
      const addresses = await resolve(host)
      return addresses.length > 0 ? { kind: 'found', addresses, ttlMs: 0 } : { kind: 'failed' }
    } catch {
      return { kind: 'failed' }
    }
  }
}

async function systemResolve(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, verbatim: true })
  return answers.map((answer) => answer.address)
}

/** An answer may have thousands: all are checked, but only this many are tried. */
const MAX_TRIED = 8

function checkAnswer(url: URL, answer: readonly string[], allow: AllowList): FoundAddresses {
  const addresses = new Set<string>()
  let refusal: Refusal | null = null
  for (const text of answer) {
    const judgement = checkAddress(text, allow)
    if (judgement.verdict === 'refused') {
      return refuse('address_refused', `the host ${url.hostname} has an address that is not public`)
    }
    refusal ??= checkSchemeFor(url, judgement.verdict)
    addresses.add(judgement.address)
  }
  return refusal ?? { ok: true, addresses: [...addresses].slice(0, MAX_TRIED) }
}
