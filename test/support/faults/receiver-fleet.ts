// Several receivers on one database: processes on a PostgreSQL, or, since one process at a time uses a
// SQLite folder, receivers in this process on two connections.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type MessageLine, messageLine } from '../../../src/app/receive/message-line.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import { createEgress } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import {
  openReceiverStorage,
  type ReceiverStorage,
} from '../../../src/receiver/open-receiver-storage.ts'
import { nodeHandler } from '../../../src/webhooks/receiver/adapters/node.ts'
import { createReceiver } from '../../../src/webhooks/receiver/receiver.ts'
import { folder } from '../cli.ts'
import type { Place } from './place.ts'
import { linesIn, PUBLIC_URL, startReceive } from './receiver-process.ts'

export interface Fleet {
  urls: readonly string[]
  /** What all of them have handed on. */
  lines(): MessageLine[]
}

interface FleetOptions {
  trust: readonly string[]
  maxKeysPerSender?: number
}

const INSTANCES = 4

/** Until the test ends. */
export async function startFleet(place: Place, options: FleetOptions): Promise<Fleet> {
  const numbers = Array.from({ length: INSTANCES }, (_, n) => n)
  if (place.store === 'sqlite') {
    const lines: MessageLine[] = []
    const storages = [await openStorage(place), await openStorage(place)]
    const urls = await Promise.all(
      numbers.map((n) => startHere(storages[n % 2]!, { ...options, lines })),
    )
    return { urls, lines: () => lines }
  }
  const outs = numbers.map(() => join(folder(), 'out'))
  const { trust, maxKeysPerSender } = options
  const most = maxKeysPerSender === undefined ? [] : [`--max-keys-per-sender=${maxKeysPerSender}`]
  const args = [...trust.flatMap((url) => ['--trust', url]), ...most]
  const started = await Promise.all(outs.map((out) => startReceive(place, [...args, '--out', out])))
  return { urls: started.map(({ url }) => url), lines: () => outs.flatMap(linesIn) }
}

/** A connection of its own, until the test ends. */
export async function openStorage({ storage }: Pick<Place, 'storage'>): Promise<ReceiverStorage> {
  const opened = await openReceiverStorage(storage)
  onTestFinished(opened.close)
  return opened
}

interface HereOptions extends FleetOptions {
  /** Where it writes down what it has handed on. */
  lines: MessageLine[]
  /** Default the system's. */
  clock?: Clock
}

/** A receiver of the library in this process, until the test ends. Answers where it listens. */
export async function startHere(
  storage: ReceiverStorage,
  { trust, maxKeysPerSender, lines, clock }: HereOptions,
): Promise<string> {
  const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
  const receiver = createReceiver({
    ...storage,
    egress,
    clock,
    maxKeysPerSender,
    sellers: trust.map((agentUrl) => ({ agentUrl })),
    routes: async (name) => ({ name, mode: 'rfc9421' }),
    handle: (message) => lines.push(messageLine(message, true)),
    handleStale: (message) => lines.push(messageLine(message, false)),
    onFault: (error) => {
      throw error
    },
  })
  const server = createServer(nodeHandler(receiver, { baseUrl: PUBLIC_URL }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.start()
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
    await receiver.stop()
    await egress.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
