import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import { memoryReplayStore } from '../../../src/signing/replay.ts'
import { verifyWebhook } from '../../../src/webhooks/schemes/rfc9421.ts'
import { subjectOfTask, type TaskEvent } from '../../../src/webhooks/sender/emit.ts'
import { createSender, type SenderOptions } from '../../../src/webhooks/sender/sender.ts'
import { httpServer, loopbackEgress } from '../../lib/safe-fetch/loopback.ts'
import { eventually } from '../../support/eventually.ts'
import { memoryOutbox } from '../../support/memory-outbox.ts'
import { BOX, NAMES, PAIR, SIGNER } from '../../support/sender.ts'

function senderOn(memory: ReturnType<typeof memoryOutbox>, changes: Partial<SenderOptions> = {}) {
  const sender = createSender({
    transact: memory.transact,
    onWake: memory.onWake,
    channels: memory.channels,
    outbox: memory.outbox,
    box: BOX,
    signer: async () => SIGNER,
    egress: loopbackEgress(),
    onFault: (error) => {
      throw error
    },
    ...changes,
  })
  onTestFinished(() => sender.stop(0))
  return sender
}

const event: TaskEvent = {
  owner: 'alice',
  task_id: 't1',
  task_type: 'build_creative',
  domain: 'creative',
  status: 'completed',
  at: Date.UTC(2026, 0, 1),
  result: { done: true },
}

test('spec 6: a registration is notified of a change, signed, and again after a 503', async () => {
  const seen: { headers: Record<string, unknown>; body: Buffer; url: string }[] = []
  const server = await httpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = `http://${request.headers.host}${request.url}`
    seen.push({ headers: request.headers, body: Buffer.concat(chunks), url })
    response.writeHead(seen.length === 1 ? 503 : 200).end()
  })
  const memory = memoryOutbox(systemClock)
  const sender = senderOn(memory)
  const checked = sender.check({
    owner: 'alice',
    subject: subjectOfTask('t1'),
    name: 'push',
    form: 'mcp',
    config: { url: server.url('/hook'), operation_id: 'op-1' },
  })
  if (!checked.ok) throw new Error('the registration was refused')
  sender.start()
  await memory.transact(async (tx) => {
    await sender.register(tx, checked.channel)
    expect(await sender.taskChanged(tx, event)).toBe(1)
  })
  await eventually(() => expect(memory.state().deliveries[0]?.state).toBe('delivered'))

  expect(seen).toHaveLength(2)
  expect(seen[0]?.body).toEqual(seen[1]?.body)
  expect(JSON.parse(String(seen[0]?.body))).toMatchObject({ operation_id: 'op-1', task_id: 't1' })
  const replay = memoryReplayStore({ clock: systemClock })
  for (const { headers, body, url } of seen) {
    const message = { method: 'POST', url, headers: headers as Record<string, string>, body }
    const verdict = await verifyWebhook(message, NAMES, {
      now: systemClock.now() / 1_000,
      findKey: () => ({ jwk: PAIR.publicJwk, signer: 'https://seller.example/mcp' }),
      checkRevocation: () => 'current',
      replay,
    })
    expect(verdict).toMatchObject({ ok: true })
  }
  expect(await sender.stats()).toMatchObject({ inFlight: 0, waiting: { pending: 0, leased: 0 } })
})

test('a subject has at most as many channels as it may have', async () => {
  const memory = memoryOutbox(systemClock)
  const sender = senderOn(memory)
  const register = (name: string) => {
    const config = { url: 'http://127.0.0.1/hook' }
    const wanted = { owner: 'alice', subject: 'task:t1', name, form: 'mcp' as const, config }
    const checked = sender.check(wanted)
    if (!checked.ok) throw new Error('the registration was refused')
    return memory.transact((tx) => sender.register(tx, checked.channel))
  }
  for (let n = 0; n < 10; n++) expect(await register(`n${n}`)).toMatchObject({ name: `n${n}` })
  expect(await register('one more')).toBe('full')
  expect(await register('n3')).toMatchObject({ name: 'n3' })
})

test('a lease that an attempt could outlive is a mistake', () => {
  const memory = memoryOutbox(systemClock)
  expect(() => senderOn(memory, { attemptTimeoutMs: 60_000 })).toThrow(RangeError)
  expect(() => senderOn(memory, { attemptTimeoutMs: 60_000, leaseMs: 120_000 })).not.toThrow()
})
