import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createInboxStore } from '../../../src/storage/stores/inbox/inbox.ts'
import { createReplayStore } from '../../../src/storage/stores/nonces/replay.ts'
import { createReceiver, type ReceiverOptions } from '../../../src/webhooks/receiver/receiver.ts'
import { signHmac } from '../../../src/webhooks/schemes/hmac.ts'
import { testDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { NAMES } from '../../support/sender.ts'

const SECRET = 'a secret of at least thirty-two bytes'
const ROUTES = [{ name: 'acme', mode: 'HMAC-SHA256' as const, secret: SECRET }]

async function house(changes: Partial<ReceiverOptions> = {}) {
  const { database, drop } = await testDatabase('sqlite')
  const inbox = createInboxStore(database)
  onTestFinished(drop)
  const options: ReceiverOptions = {
    transact: database.transact,
    onWake: database.onWake,
    inbox,
    routes: ROUTES,
    replay: createReplayStore(database),
    egress: { fetch: () => Promise.reject(new Error('nothing is fetched')) },
    onFault: () => {},
    ...changes,
  }
  return { inbox, options }
}

async function deliver(receiver: Pick<ReturnType<typeof createReceiver>, 'receive'>, task: object) {
  const envelope = {
    idempotency_key: randomUUID(),
    task_id: 't1',
    task_type: 'x',
    status: 'completed',
    timestamp: new Date().toISOString(),
    ...task,
  }
  const body = Buffer.from(JSON.stringify(envelope))
  const signed = signHmac(body, SECRET, { names: NAMES, now: Date.now() / 1_000 })
  if (!signed.ok) throw new Error(signed.detail)
  const headers = { 'content-type': 'application/json', ...signed.headers }
  const url = 'https://buyer.example/hooks/acme'
  return receiver.receive({ route: 'acme', method: 'POST', url, headers, body })
}

describe('a receiver', () => {
  test('spec 6.4: acknowledges before the application is done, and applies off the request path', async () => {
    let end = () => {}
    const handled: unknown[] = []
    const { options, inbox } = await house({
      handle: ({ data }) =>
        new Promise<void>((resolve) => {
          handled.push(data)
          end = resolve
        }),
    })
    const receiver = createReceiver(options)
    receiver.start()
    onTestFinished(() => receiver.stop(0))
    expect((await deliver(receiver, { result: { key: 'k' } })).status).toBe(200)
    await eventually(() => expect(handled).toEqual([{ key: 'k' }]))
    expect(await receiver.stats()).toMatchObject({ waiting: { leased: 1 }, inFlight: 1 })
    end()
    await eventually(async () =>
      expect(await inbox.list({})).toMatchObject([{ state: 'applied', sender: 'hmac:acme' }]),
    )
  })

  test('spec 6.1: lets one instance wait for what another receives and applies', async () => {
    const { options } = await house()
    const [one, other] = [createReceiver(options), createReceiver(options)]
    other.start()
    onTestFinished(() => other.stop(0))
    const waiting = one.waitFor('op-1', { timeoutMs: 8_000 })
    await deliver(other, { operation_id: 'op-1', status: 'working' })
    await deliver(other, { operation_id: 'op-1', status: 'failed', result: { errors: [1] } })
    expect(await waiting).toMatchObject({ status: 'failed', data: { errors: [1] } })
  })

  test('spec 6.4: a later end that differs is reported as a conflict, and an equal one is not', async () => {
    const conflicts: unknown[] = []
    const warned: unknown[] = []
    const { options, inbox } = await house({
      onConflict: ({ operation_id, settled, other }) => {
        conflicts.push([operation_id, settled.data, other.status, other.data])
        throw new Error('a listener that throws')
      },
      log: { info: () => {}, warn: (fields) => warned.push(fields) },
    })
    const receiver = createReceiver(options)
    receiver.start()
    onTestFinished(() => receiver.stop(0))
    const applied = async (count: number) =>
      eventually(async () => {
        const ended = (await inbox.list({})).filter(({ ended_at }) => ended_at !== undefined)
        expect(ended).toHaveLength(count)
      })
    await deliver(receiver, { operation_id: 'op-1', result: { a: 1, b: 2 } })
    await applied(1)
    await deliver(receiver, { operation_id: 'op-1', message: 'again', result: { b: 2, a: 1 } })
    await deliver(receiver, { operation_id: 'op-1', status: 'working' })
    await deliver(receiver, { operation_id: 'op-1', status: 'failed', result: { errors: [1] } })
    await applied(4)
    expect(conflicts).toEqual([['op-1', { a: 1, b: 2 }, 'failed', { errors: [1] }]])
    expect(warned).toMatchObject([{ operation_id: 'op-1', settled: 'completed', other: 'failed' }])
    expect(await receiver.waitFor('op-1')).toMatchObject({ status: 'completed' })
  })

  test('spec 8: remembers keys for 24 hours at least', async () => {
    const { options } = await house()
    expect(() => createReceiver({ ...options, retentionHours: 23 })).toThrow(RangeError)
    expect(() => createReceiver({ ...options, retentionHours: Number.NaN })).toThrow(RangeError)
    expect(createReceiver({ ...options, retentionHours: 24 }).retentionHours).toBe(24)
    expect(createReceiver(options).retentionHours).toBe(48)
    // As long as a sender of 3.2 may declare to try.
    expect(createReceiver({ ...options, duplicates: 'strict' }).retentionHours).toBe(168)
  })

  test('has one handler, and no route whose secret protects nothing', async () => {
    const { options } = await house({ handle: () => {} })
    const both = { ...options, handleInTransaction: () => {} }
    expect(() => createReceiver(both)).toThrow('not both')
    const routes = [{ name: 'a', mode: 'Bearer' as const, credentials: 'short' }]
    expect(() => createReceiver({ ...options, routes })).toThrow('shorter than 32')
  })
})
