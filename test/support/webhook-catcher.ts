// A place that webhooks are sent to: keeps what came, and says whether a key of the sender signed it.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import type { HttpMessage, Jwk } from '../../src/signing/ports.ts'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import type { Refused, Verified } from '../../src/signing/verify.ts'
import { verifyWebhook } from '../../src/webhooks/schemes/rfc9421.ts'

const NAMES = identifiersFor('proto')

export interface WebhookCatcher {
  url: string
  /** The first that came; waits for it. */
  first: Promise<HttpMessage>
  /** Judges it by the key set that is published at `server`. */
  verify(message: HttpMessage, server: string): Promise<Verified | Refused>
}

export async function catchWebhooks(): Promise<WebhookCatcher> {
  let caught: (message: HttpMessage) => void = () => {}
  const first = new Promise<HttpMessage>((resolve) => {
    caught = resolve
  })
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request
    const body = await buffer(request)
    response.end()
    caught({ method, url: `${url}${request.url?.slice('/hook'.length)}`, headers, body })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return {
    url,
    first,
    verify: async (message, sender) => {
      const answer = await fetch(`${sender}/.well-known/jwks.json`)
      const { keys } = (await answer.json()) as { keys: Jwk[] }
      const replay = memoryReplayStore()
      return verifyWebhook(message, NAMES, {
        now: Date.now() / 1_000,
        findKey: (keyid) => {
          const jwk = keys.find(({ kid }) => kid === keyid)
          return jwk && { jwk, signer: sender }
        },
        checkRevocation: () => 'current',
        replay,
      })
    },
  }
}
