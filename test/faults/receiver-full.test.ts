// A receiver that has no room, or whose database is away (spec 6.4, 7.3): it says so before it accepts,
// known messages are acknowledged as long as they can be known, and it recovers without a restart.

import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folder } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { createPlace, type Place } from '../support/faults/place.ts'
import { startFleet } from '../support/faults/receiver-fleet.ts'
import { linesIn, startReceive } from '../support/faults/receiver-process.ts'
import {
  envelope,
  post,
  type Sender,
  startSender,
  verdict,
} from '../support/faults/receiver-sender.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const FULL = '429 sender_quota_full'
const AWAY = '503 storage_unavailable'
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

describe.each(['sqlite', 'postgres'] as const)('four receivers on %s', (store) => {
  test('spec 7.3: keep three keys of a sender, know those, and answer 429 to more', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const [sender, other] = [await startSender(), await startSender()]
    const trust = [sender.agentUrl, other.agentUrl]
    const { urls, lines } = await startFleet(place, { trust, maxKeysPerSender: 3 })
    const bodies = Array.from({ length: 40 }, () => envelope())
    const sendAll = async (by: Sender, all = bodies) => {
      const signed = await Promise.all(all.map((body) => by.sign(body)))
      return Promise.all(signed.map((one, n) => post(urls[n % urls.length]!, one)))
    }

    const answers = await sendAll(sender)
    const stored = bodies.filter((_, n) => answers[n]?.status === 200)
    expect(stored).toHaveLength(3)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(verdict))).toEqual(new Set([FULL]))
    expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['60']))

    // Again: what is kept is known to every instance, and there is no more room than before.
    const again = await sendAll(sender)
    expect(again.map(verdict)).toEqual(
      bodies.map((body) => (stored.includes(body) ? '200 duplicate' : FULL)),
    )
    expect((await sendAll(other, bodies.slice(0, 3))).map(verdict)).toEqual(
      Array(3).fill('200 accepted'),
    )
    await eventually(() => expect(lines()).toHaveLength(6))

    await eventually(async () => {
      // What has ended and is past its time makes room.
      const { transact } = place.database()
      await transact((tx) => tx.run('UPDATE webhook_inbox SET expires_at = 0'))
      const [late] = await sendAll(sender, [envelope()])
      expect(late && verdict(late)).toBe('200 accepted')
    })
  })
})

describe.each([
  ['sqlite', hasPrlimit],
  ['postgres', true],
] as const)('a receiver on %s', (store, canCut) => {
  test.skipIf(!canCut)(
    'spec 6.4: is away with its database, loses nothing and comes back with it',
    async () => {
      const place = await createPlace(store)
      onTestFinished(place.drop)
      const sender = await startSender()
      const out = join(folder(), 'out')
      const transport = await transportOf(place)
      const server = await startReceive({ args: place.args, env: transport.env }, [
        '--trust',
        sender.agentUrl,
        '--out',
        out,
      ])
      const send = async (body: object) => post(server.url, await sender.sign(body))
      const known = envelope()
      expect(verdict(await send(known))).toBe('200 accepted')

      const acknowledged: unknown[] = [known.idempotency_key]
      const load = Promise.all(
        Array.from({ length: 40 }, async (_, n) => {
          const body = envelope()
          await sleep(n * 10)
          for (;;) {
            const answer = await send(body)
            if (answer.status === 200) return void acknowledged.push(body.idempotency_key)
            expect(verdict(answer)).toBe(AWAY)
            await sleep(100)
          }
        }),
      )
      await sleep(150)
      await transport.cut(server.child.pid!)
      const refused = await send(envelope())
      expect([verdict(refused), refused.retryAfter]).toEqual([AWAY, '5'])
      // Whether it is known cannot be known now: never 200.
      expect(verdict(await send(known))).toBe(AWAY)
      expect((await fetch(`${server.url}/healthz`)).status).toBe(503)
      // What needs no database is answered as ever.
      const unsigned = { ...(await sender.sign(known)), headers: { 'content-type': 'text/plain' } }
      expect((await post(server.url, unsigned)).status).toBe(415)

      await transport.fix(server.child.pid!)
      await load
      expect(verdict(await send(known))).toBe('200 duplicate')
      await eventually(async () => {
        expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
      })
      expect(new Set(acknowledged).size).toBe(41)
      await eventually(() => expect(linesIn(out).length).toBeGreaterThanOrEqual(41), {
        timeoutMs: 120_000,
      })
      expect(await server.stop()).toBe(0)
      const keys = linesIn(out).map(({ idempotency_key }) => idempotency_key)
      expect(keys.toSorted()).toEqual(acknowledged.toSorted())
    },
  )
})

/** How the database of a process is taken from it: the transport is cut, or its disk is full. */
async function transportOf({ env }: Place) {
  const { ADWIRE_DATABASE_URL: url } = env
  if (url === undefined) {
    // No file of the process may grow, nor be written beyond its first byte.
    const limit = (size: string) => async (pid: number) => {
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`])
    }
    return { env, cut: limit('1'), fix: limit('unlimited') }
  }
  const proxy = await startTcpProxy(url)
  onTestFinished(proxy.close)
  return { env: { ADWIRE_DATABASE_URL: proxy.url }, cut: proxy.cut, fix: proxy.fix }
}
