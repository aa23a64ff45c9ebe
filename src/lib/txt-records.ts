// TXT records from the system's name servers, queried over our own sockets and not on the thread pool: names that
// never resolve must not keep others from reading files or looking up addresses.

import { Resolver } from 'node:dns/promises'

/** @internal */
export type TxtAnswer =
  /** Each record with its parts joined; empty if the name or the type does not exist. */
  { ok: true; records: string[] } | { ok: false; message: string }

/** Queries DNS for the TXT records of a name. */
export type ResolveTxt = (name: string, signal?: AbortSignal) => Promise<TxtAnswer>

export interface TxtOptions {
  /** Maximum wait for an answer, in milliseconds. Default 5000. */
  timeoutMs?: number
  /** Name servers, as addresses with an optional port. Default the system's. */
  servers?: readonly string[]
}

/** Maximum number of records read from one answer, and characters of each. */
const MAX_RECORDS = 100
const MAX_RECORD_CHARS = 1_024
const NO_RECORDS: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

/** Never rejects. */
export function createTxtResolver({ timeoutMs = 5_000, servers }: TxtOptions = {}): ResolveTxt {
  return async (name, signal) => {
    // One for each query, because cancelling ends all queries of a resolver.
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    const timer = setTimeout(cancel, timeoutMs)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      if (signal?.aborted) return { ok: false, message: 'the question was aborted' }
      const records = await resolver.resolveTxt(name)
      return { ok: true, records: records.slice(0, MAX_RECORDS).map(joined) }
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (NO_RECORDS.has(code)) return { ok: true, records: [] }
      return { ok: false, message: `the name servers gave no answer for ${name} (${code})` }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  }
}

/**
 * A record consists of parts of up to 255 bytes, which are joined to form its text (RFC 7208 §3.3 and common
 * practice).
 */
function joined(parts: readonly string[]): string {
  return parts.join('').slice(0, MAX_RECORD_CHARS)
}
