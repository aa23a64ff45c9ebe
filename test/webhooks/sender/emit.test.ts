import { expect, test } from 'vitest'
import { createSecretBox } from '../../../src/lib/secret-box.ts'
import { sealSecrets } from '../../../src/webhooks/sender/channel-secrets.ts'
import { createEmitter, type TaskEvent } from '../../../src/webhooks/sender/emit.ts'
import { HORIZON_MS } from '../../../src/webhooks/sender/retry-policy.ts'
import type { Channel } from '../../../src/webhooks/sender/store.ts'
import { fillBody } from '../../../src/webhooks/sender/token-slot.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memoryOutbox } from '../../support/memory-outbox.ts'
import { aChannel, BOX } from '../../support/sender.ts'

const TOKEN = 'a token of the buyer'
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const anEvent = (changes: Partial<TaskEvent> = {}): TaskEvent => ({
  owner: 'alice',
  task_id: 't1',
  task_type: 'build_creative',
  domain: 'creative',
  status: 'completed',
  at: Date.UTC(2026, 0, 1),
  result: { a: 1 },
  ...changes,
})

async function outboxWith(channels: Partial<Channel>[], box = BOX) {
  const memory = memoryOutbox(fakeClock())
  const faults: unknown[] = []
  for (const [index, changes] of channels.entries()) {
    const {
      channel_id: _id,
      paused_at: _at,
      created_at: _c,
      updated_at: _u,
      ...channel
    } = aChannel({ name: `n${index}`, ...changes })
    await memory.transact((tx) => memory.channels.put(tx, channel, 10))
  }
  const emitter = createEmitter({ ...memory, box, onFault: (error) => faults.push(error) })
  const bodies = () =>
    memory.state().deliveries.map(({ body }) => JSON.parse(Buffer.from(body).toString()))
  return { memory, emitter, bodies, faults }
}

test('spec 6.1: each channel of the task gets a delivery of its own form, under its own key', async () => {
  const { memory, emitter, bodies } = await outboxWith([
    { form: 'mcp' },
    { form: 'a2a-0.3', operation_id: undefined },
    { form: 'a2a-1.0' },
    { subject: 'task:t2' },
  ])
  expect(await memory.transact((tx) => emitter.taskChanged(tx, anEvent()))).toBe(3)
  const { deliveries } = memory.state()
  const [mcp, old, current] = bodies()
  const keys = deliveries.map(({ idempotency_key }) => idempotency_key)
  expect(new Set(keys).size).toBe(3)
  for (const key of keys) expect(key).toMatch(UUID_V4)
  expect(mcp).toMatchObject({ idempotency_key: keys[0], operation_id: 'op-1', status: 'completed' })
  expect(old).toMatchObject({ kind: 'task', metadata: { idempotency_key: keys[1] } })
  expect(old.metadata).not.toHaveProperty('operation_id')
  expect(current.task.metadata).toMatchObject({ idempotency_key: keys[2], operation_id: 'op-1' })
  expect(deliveries[0]).toMatchObject({
    task_id: 't1',
    operation_id: 'op-1',
    notification_type: 'completed',
    sequence_number: undefined,
    expires_at: (deliveries[0]?.created_at ?? 0) + HORIZON_MS,
  })
})

test('spec 6.4: an event that is undone with its change leaves nothing', async () => {
  const { memory, emitter } = await outboxWith([{}])
  const change = memory.transact(async (tx) => {
    await emitter.taskChanged(tx, anEvent())
    throw new Error('the change failed')
  })
  await expect(change).rejects.toThrow('the change failed')
  expect(memory.state().deliveries).toEqual([])
})

test('spec 2.12: the channels of another principal are not notified', async () => {
  const { memory, emitter } = await outboxWith([{ owner: 'bob' }])
  expect(await memory.transact((tx) => emitter.taskChanged(tx, anEvent()))).toBe(0)
  expect(memory.state().deliveries).toEqual([])
})

test('spec 2.9: the token of the channel is put into the envelope, and not stored in it', async () => {
  const channel = aChannel()
  const secrets = sealSecrets(channel, { token: TOKEN, credentials: undefined }, BOX)
  const { memory, emitter, bodies } = await outboxWith([{ name: channel.name, secrets }])
  await memory.transact((tx) => emitter.taskChanged(tx, anEvent()))
  expect(bodies()[0]).toMatchObject({ token: '' })
  const [delivery] = memory.state().deliveries
  const { body, token, idempotency_key } = delivery as NonNullable<typeof delivery>
  const filled = fillBody({ body, token, idempotency_key }, BOX)
  if (!filled.ok) throw new Error('the token opens')
  expect(JSON.parse(Buffer.from(filled.body).toString())).toMatchObject({ token: TOKEN })
})

test('a token that cannot be opened does not undo the change', async () => {
  const other = createSecretBox('another secret altogether')
  const secrets = sealSecrets(aChannel(), { token: TOKEN, credentials: undefined }, other)
  const { memory, emitter, bodies, faults } = await outboxWith([{ name: 'push', secrets }])
  expect(await memory.transact((tx) => emitter.taskChanged(tx, anEvent()))).toBe(1)
  expect(bodies()[0]).not.toHaveProperty('token')
  expect(faults).toHaveLength(1)
})

test('spec 6.2, 6.3: events of other subjects carry their kind, sequence and id', async () => {
  const { memory, emitter, bodies } = await outboxWith([{ subject: 'media-buy:m1' }])
  const added = await memory.transact((tx) =>
    emitter.emit(tx, {
      ...anEvent(),
      subject: 'media-buy:m1',
      notification_type: 'impairment',
      sequence_number: 7,
      notification_id: 'imp-1',
    }),
  )
  expect(added).toBe(1)
  expect(bodies()[0]).toMatchObject({ notification_id: 'imp-1', task_type: 'build_creative' })
  expect(memory.state().deliveries[0]).toMatchObject({
    notification_type: 'impairment',
    sequence_number: 7,
  })
})
