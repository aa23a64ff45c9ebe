// To which addresses a request may connect, for the egress guard: a name is resolved once, under a
// deadline, and one address that may not be reached refuses the whole answer. Connecting to
// exactly these addresses afterwards is what makes DNS rebinding pointless.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type AllowList, judgeAddress } from './addresses.ts'
import { bareHost, checkSchemeFor } from './check-url.ts'
import { type Refusal, refuse } from './outcome.ts'

export type Resolve = (host: string) => Promise<readonly string[]>

export interface AddressFinder {
  /** Gives the checked addresses of a URL that passed `checkUrl`, in the resolver's order. */
  find(url: URL, signal: AbortSignal): Promise<FoundAddresses>
}

export type FoundAddresses = { ok: true; addresses: readonly string[] } | Refusal

export interface AddressFinderOptions {
  allow: AllowList
  resolve: Resolve
  timeoutMs: number
}

export function createAddressFinder(options: AddressFinderOptions): AddressFinder {
  const { allow, timeoutMs } = options
  const resolve = shareInFlight(options.resolve)

  return {
    async find(url, signal) {
      const host = bareHost(url)
      if (isIP(host) !== 0) return checkAnswer(url, [host], allow)
      const answer = await settleWithin(resolve(host), timeoutMs, signal)
      if (answer === 'late') {
        return refuse('dns_timeout', `the name ${host} was not resolved within ${timeoutMs} ms`)
      }
      if (answer === 'failed' || answer.length === 0) {
        return refuse('dns_failed', `the name ${host} has no address`)
      }
      return checkAnswer(url, answer, allow)
    },
  }
}

/** The system's resolver, hosts file included. */
export async function systemResolve(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, verbatim: true })
  return answers.map((answer) => answer.address)
}

/** Lets requests that ask at the same moment share one query; no answer outlives its query. */
function shareInFlight(resolve: Resolve): Resolve {
  const inFlight = new Map<string, Promise<readonly string[]>>()
  return (host) => {
    const shared = inFlight.get(host)
    if (shared !== undefined) return shared
    const query = resolve(host).finally(() => inFlight.delete(host))
    inFlight.set(host, query)
    return query
  }
}

function settleWithin(
  query: Promise<readonly string[]>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly string[] | 'late' | 'failed'> {
  return new Promise((settle) => {
    const finish = (outcome: readonly string[] | 'late' | 'failed') => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      settle(outcome)
    }
    const giveUp = () => finish('late')
    const timer = setTimeout(giveUp, timeoutMs)
    signal.addEventListener('abort', giveUp, { once: true })
    query.then(finish, () => finish('failed'))
  })
}

function checkAnswer(url: URL, answer: readonly string[], allow: AllowList): FoundAddresses {
  const addresses = new Set<string>()
  let refusal: Refusal | null = null
  for (const text of answer) {
    const judgement = judgeAddress(text, allow)
    if (judgement.verdict === 'refused') {
      return refuse('address_refused', `the host ${url.hostname} has an address that is not public`)
    }
    refusal ??= checkSchemeFor(url, judgement.verdict)
    addresses.add(judgement.address)
  }
  return refusal ?? { ok: true, addresses: [...addresses] }
}
