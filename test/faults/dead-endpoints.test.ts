// Hundreds of dead receivers and one that is well (spec 6.4): the one gets its events while the dead
// ones still wait. With ADWIRE_FAULT_ROUNDS it is a thousand, and what they cost the one is printed.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/storage/sql/database.ts'
import { eventually } from '../support/eventually.ts'
import { createPlace } from '../support/faults/place.ts'
import { type Receiver, startReceiver } from '../support/faults/receiver.ts'
import { type Seller, startSeller } from '../support/faults/seller.ts'

const isLong = process.env.ADWIRE_FAULT_ROUNDS !== undefined
/** Each at an address of its own: the paths of one host are treated as one. */
const DEAD = isLong ? 1_000 : 200
const TASKS = isLong ? 20 : 4
/** Longer than the test: what hangs, hangs. */
const ENV = { ADWIRE_WEBHOOK_TIMEOUT_SECONDS: '60', ADWIRE_LEASE_SECONDS: '120' }

test.each(['sqlite', 'postgres'] as const)(
  'spec 6.4: on %s hundreds of dead receivers do not keep one that is well waiting',
  async (store) => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const healthy = await startReceiver()
    onTestFinished(healthy.close)
    const port = await listenAndHang()
    const seller = await startSeller(place, { ...ENV, ADWIRE_STOP_TIMEOUT_SECONDS: '1' })
    const alone = await medianDelay(seller, healthy, '/alone')

    await submitAll(seller, deadUrls(port))
    await eventually(async () => {
      const { hanging } = await countDead(place.database(), port)
      expect(hanging, 'too few hang yet').toBeGreaterThan(100)
    })
    const among = await medianDelay(seller, healthy, '/among')

    const { unended, delivered } = await countDead(place.database(), port)
    // The first of two events of each, at least, waits or hangs.
    expect(unended).toBeGreaterThanOrEqual(DEAD)
    expect(delivered).toBe(0)
    if (!isLong) return
    const ratio = (among / alone).toFixed(2)
    console.log(`${store}: median ${alone} ms alone, ${among} ms among the dead: ${ratio} times`)
  },
  isLong ? 900_000 : 300_000,
)

/** Accepts every connection at every address of the loopback and never answers. */
async function listenAndHang(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

/** Most of them hang, more than there are slots for; at the port of the others no one listens. */
function deadUrls(port: number): string[] {
  return Array.from({ length: DEAD }, (_, n) => {
    const host = `127.1.${n >> 8}.${n & 255}`
    return `http://${host}:${n % 4 === 0 ? 9 : port}/dead`
  })
}

const AT_ONCE = 50

async function submitAll(seller: Seller, urls: readonly string[]): Promise<void> {
  for (let done = 0; done < urls.length; done += AT_ONCE) {
    const some = urls.slice(done, done + AT_ONCE)
    const answers = await Promise.all(some.map((webhook) => seller.simulate({ webhook })))
    expect(answers.map((answer) => answer?.status)).toEqual(some.map(() => 202))
  }
}

/** From the call to the last event, of tasks one after another, in milliseconds. */
async function medianDelay(seller: Seller, receiver: Receiver, path: string): Promise<number> {
  const delays: number[] = []
  for (let n = 0; n < TASKS; n++) {
    const own = `${path}-${n}`
    const startedAt = Date.now()
    await seller.simulate({ webhook: receiver.url(own) })
    const ofTask = () => receiver.seen.filter((one) => one.path === own)
    await eventually(() => expect(ofTask()).toHaveLength(2), { timeoutMs: 120_000, pauseMs: 2 })
    delays.push(Math.max(...ofTask().map(({ arrivedAt }) => arrivedAt)) - startedAt)
  }
  return delays.sort((a, b) => a - b)[TASKS / 2] as number
}

async function countDead(database: Database, port: number) {
  const row = await database.read.get<Record<'hanging' | 'unended' | 'delivered', number>>(
    `SELECT
       (SELECT count(*) FROM webhook_deliveries
        WHERE state = 'leased' AND endpoint LIKE $1) AS hanging,
       (SELECT count(*) FROM webhook_deliveries
        WHERE state IN ('pending', 'leased', 'held') AND endpoint LIKE '%/dead') AS unended,
       (SELECT count(*) FROM webhook_deliveries
        WHERE state = 'delivered' AND endpoint LIKE '%/dead') AS delivered`,
    [`http://127.1.%:${port}/dead`],
  )
  if (!row) throw new Error('a count has no row')
  return row
}
