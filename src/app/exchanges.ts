// What is sent and received while an agent is called, to be displayed to the caller: without secrets, and limited in
// size.

import { withoutToken } from '../caller/other-party.ts'
import type { Exchange } from '../console/api/agents.ts'
import { defined } from '../lib/defined.ts'
import type { ClientFetch } from '../transports/client.ts'

export interface Recorded {
  fetch: ClientFetch
  exchanges: readonly Exchange[]
}

const MOST_EXCHANGES = 30
const MOST_CHARS = 65_536
const SECRETS: readonly string[] = ['authorization', 'cookie', 'set-cookie', 'proxy-authorization']

/** The same client, but it records what is sent and received. */
export function recordExchanges(fetch: ClientFetch, key: string | undefined): Recorded {
  const exchanges: Exchange[] = []
  return {
    exchanges,
    fetch: async (request) => {
      const startedMs = performance.now()
      const noted: Exchange = withoutToken(
        {
          method: request.method,
          url: request.url,
          request_headers: headersOf(request.headers),
          response_headers: [],
          ...defined({ request_body: request.body?.slice(0, MOST_CHARS) }),
          is_cut: false,
          duration_ms: 0,
        },
        key,
      )
      if (exchanges.length < MOST_EXCHANGES) exchanges.push(noted)
      try {
        const response = await fetch(request)
        const text = response.body.subarray(0, MOST_CHARS * 4).toString('utf8')
        noted.status = response.status
        noted.response_headers = withoutToken(headersOf(response.headers), key)
        noted.response_body = withoutToken(text, key).slice(0, MOST_CHARS)
        noted.is_cut = text.length > MOST_CHARS || response.body.byteLength > MOST_CHARS * 4
        return response
      } catch (error) {
        noted.fault = withoutToken(error instanceof Error ? error.message : 'no response', key)
        throw error
      } finally {
        noted.duration_ms = Math.round(performance.now() - startedMs)
      }
    },
  }
}

function headersOf(headers: Readonly<Record<string, string>>): Exchange['request_headers'] {
  return Object.entries(headers).map(([name, value]) =>
    SECRETS.includes(name.toLowerCase()) ? { name, value: '', is_hidden: true } : { name, value },
  )
}
