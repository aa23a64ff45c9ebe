// Receivers that misbehave (spec 2.12, 6.4), against the built server: each attempt ends in time, is
// recorded as what it was, and a receiver that is well does not notice.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { readLedger } from '../support/faults/ledger.ts'
import { createPlace, type Place } from '../support/faults/place.ts'
import { startReceiver } from '../support/faults/receiver.ts'
import { startSeller } from '../support/faults/seller.ts'

const ENV = { ADWIRE_WEBHOOK_TIMEOUT_SECONDS: '12', ADWIRE_LEASE_SECONDS: '30' }
const HEALTHY_TASKS = 10
const OK = 'HTTP/1.1 200 OK\r\n'

/** What each does with a connection, once the request has begun. */
const BAD: Record<string, (socket: Socket) => void> = {
  resets: (socket) => socket.resetAndDestroy(),
  hangs: () => {},
  'sends a byte a second': (socket) => {
    socket.write(`${OK}content-length: 1000\r\n\r\n`)
    const timer = setInterval(() => socket.write('x'), 1_000)
    socket.on('close', () => clearInterval(timer))
  },
  'sends a body without end': (socket) => {
    socket.write(`${OK}\r\n`)
    const write = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(16_384, 'x'))) {}
    }
    socket.on('drain', write)
    write()
  },
  'sends a gzip bomb': (socket) => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'))
    socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.byteLength}\r\n\r\n`)
    socket.write(bomb)
  },
  'sends headers of 10 MB': (socket) => {
    socket.write(OK)
    socket.write(`x-a: ${'b'.repeat(1_000)}\r\n`.repeat(10_000))
  },
}

const RECORDED: Record<string, [status: string, http_status_code: number | null]> = {
  refuses: ['connection_error', null],
  resets: ['connection_error', null],
  hangs: ['timeout', null],
  'sends a byte a second': ['timeout', null],
  'sends a body without end': ['success', 200],
  'sends a gzip bomb': ['success', 200],
  'sends headers of 10 MB': ['connection_error', null],
}

describe.each(['sqlite', 'postgres'] as const)('a server on %s', (store) => {
  test('spec 6.4: reports what bad receivers did and keeps no other receiver waiting', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const urls = await badReceivers()
    const healthy = await startReceiver()
    onTestFinished(healthy.close)
    const seller = await startSeller(place, ENV)

    for (const webhook of Object.values(urls)) {
      expect(await seller.simulate({ webhook })).toMatchObject({ status: 202 })
    }
    const hanging = [urls.hangs, urls['sends a byte a second']] as string[]
    await eventually(async () => {
      for (const url of hanging) expect(await firstAttempt(place, url)).toBeDefined()
    })
    const webhook = healthy.url('/hook')
    const calls = Array.from({ length: HEALTHY_TASKS }, () => seller.simulate({ webhook }))
    await Promise.all(calls)
    await eventually(async () => {
      const { deliveries } = await readLedger(place.database())
      const own = deliveries.filter(({ endpoint }) => endpoint === webhook)
      expect(own.map(({ state }) => state)).toEqual(Array(2 * HEALTHY_TASKS).fill('delivered'))
      expect(own.map(({ attempts }) => attempts)).toEqual(Array(2 * HEALTHY_TASKS).fill(1))
    })
    const recorded: Record<string, unknown> = {}
    await eventually(
      async () => {
        for (const [name, url] of Object.entries(urls)) {
          const { status, http_status_code } = (await firstAttempt(place, url)) ?? {}
          recorded[name] = [status, http_status_code]
        }
        expect(recorded).toEqual(RECORDED)
      },
      { timeoutMs: 120_000, pauseMs: 100 },
    )
    // Begun after those that hang, and over before them: no one waited for them.
    const { attempts } = await readLedger(place.database())
    const well = attempts.filter(({ url }) => url === webhook)
    const lastEnd = Math.max(...well.map(({ completed_at }) => completed_at ?? Number.NaN))
    for (const url of hanging) {
      expect(lastEnd).toBeLessThan((await firstAttempt(place, url))?.completed_at ?? 0)
    }
    expect(await seller.stop()).toBe(0)
  })
})

async function badReceivers(): Promise<Record<string, string>> {
  const urls: Record<string, string> = {}
  for (const [name, behave] of Object.entries(BAD)) {
    urls[name] = `http://127.0.0.1:${await listen(behave)}/hook`
  }
  // No one listens at this address.
  urls.refuses = (urls.hangs as string).replace('127.0.0.1', '127.0.0.2')
  return urls
}

async function listen(behave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => behave(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

async function firstAttempt(place: Place, url: string) {
  const { attempts } = await readLedger(place.database())
  return attempts.find((row) => row.url === url && row.attempt === 1)
}
