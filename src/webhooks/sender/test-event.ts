// A delivery that only proves that it arrives: for an operator who wants to test an endpoint. It is sent like every
// other, under its own subject, so that it waits for nothing and nothing waits for it.

import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../lib/transaction.ts'
import { createEmitter, type EmitterPorts } from './emit.ts'
import type { Channel } from './store.ts'

const TEST_TYPE = 'webhook_test'

/** Returns the key of the delivery. */
export async function addTestEvent(
  { outbox, box, onFault }: Pick<EmitterPorts, 'outbox' | 'box' | 'onFault'>,
  tx: Transaction,
  channel: Channel,
): Promise<string> {
  const task_id = `test_${randomUUID()}`
  let key = ''
  const emitter = createEmitter({
    channels: { ofSubjects: async () => new Map([[channel.subject, [channel]]]) },
    outbox: {
      ...outbox,
      add: async (inTx, deliveries, horizonMs) => {
        key = deliveries[0]?.idempotency_key ?? ''
        const tests = deliveries.map((delivery) => ({
          ...delivery,
          task_id: undefined,
          channel: { ...delivery.channel, subject: `test:${task_id}` },
        }))
        await outbox.add(inTx, tests, horizonMs)
      },
    },
    box,
    onFault,
  })
  await emitter.emit(tx, {
    owner: channel.owner,
    subject: channel.subject,
    notification_type: TEST_TYPE,
    task_id,
    task_type: TEST_TYPE,
    domain: 'tasks',
    status: 'working',
    at: await tx.now(),
    message: 'A test by the operator of the sender: this task does not exist.',
  })
  return key
}
