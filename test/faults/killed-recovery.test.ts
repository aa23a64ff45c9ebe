// kill -9 of a server while it resends what was lost at an endpoint: the next one resumes where it was, and each
// delivery is resent once (spec 6.4).

import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/storage/sql/database.ts'
import { createChannelStore } from '../../src/storage/stores/outbox/channels.ts'
import { createOutboxOperations } from '../../src/storage/stores/outbox/operations.ts'
import { createRecoveryStore } from '../../src/storage/stores/outbox/recoveries.ts'
import type { Channel } from '../../src/webhooks/sender/store.ts'
import { eventually } from '../support/eventually.ts'
import { drained } from '../support/faults/ledger.ts'
import { createPlace } from '../support/faults/place.ts'
import { startReceiver } from '../support/faults/receiver.ts'
import { startSeller } from '../support/faults/seller.ts'
import { newChannel } from '../support/outbox-contract.ts'

const LOST = 1_000
/** Also examined, and canceled manually before: they make the job long. */
const CALLED_OFF_FOR_EACH = 29

const COLUMNS = [
  'channel_id',
  'owner',
  'subject',
  'endpoint',
  'notification_type',
  'idempotency_key',
  'state',
  'attempts',
  'attempts_before',
  'due_at',
  'created_at',
  'expires_at',
  'ended_at',
  'is_called_off',
  'body',
] as const

async function lose(database: Database, { channel_id, owner, endpoint }: Channel): Promise<void> {
  await database.transact(async (tx) => {
    const now = await tx.now()
    const rowOf = (isCalledOff: boolean) => {
      const key = randomUUID()
      const body = { idempotency_key: key, status: 'completed', task_id: key }
      return [
        channel_id,
        owner,
        `task:${key}`,
        endpoint,
        'completed',
        key,
        isCalledOff ? 'cancelled' : 'exhausted',
        0,
        0,
        now,
        now,
        now,
        now,
        isCalledOff ? 1 : null,
        Buffer.from(JSON.stringify(body)),
      ]
    }
    const rows = Array.from({ length: LOST }, () => [
      rowOf(false),
      ...Array.from({ length: CALLED_OFF_FOR_EACH }, () => rowOf(true)),
    ]).flat()
    await tx.runEach(
      `INSERT INTO webhook_deliveries (${COLUMNS.join(', ')})
       VALUES (${COLUMNS.map((_, at) => `$${at + 1}`).join(', ')})`,
      rows,
    )
  })
}

test.each(['sqlite', 'postgres'] as const)(
  'spec 6.4: a server killed while it resends resumes, and sends each once [%s]',
  async (store) => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const receiver = await startReceiver()
    onTestFinished(receiver.close)
    const first = await startSeller(place)
    const database = place.database()
    const channel = (await database.transact((tx) =>
      createChannelStore(database).put(tx, newChannel({ url: receiver.url('/lost') }), 1),
    )) as Channel
    await lose(database, channel)
    // Held until the end of the test, so that what arrives is not an attempt more of a dead server.
    const operations = createOutboxOperations(database)
    await database.transact((tx) => operations.pause(tx, channel))

    const recoveries = createRecoveryStore(database)
    const { owner, endpoint } = channel
    const begun = await database.transact((tx) =>
      recoveries.begin(tx, { owner, endpoint, which: 'failed', since: 0, requested_by: 'test' }),
    )
    const now = () => recoveries.get(begun?.recovery_id ?? 0)
    await eventually(async () => expect((await now())?.sent).toBeGreaterThan(0), {
      timeoutMs: 120_000,
      pauseMs: 5,
    })
    await first.kill()
    const killed = await now()
    expect(killed).toMatchObject({ state: 'sending', total: LOST })
    expect(killed?.sent).toBeLessThan(LOST)
    const again = await database.read.get<{ n: number }>(
      "SELECT count(*) AS n FROM webhook_deliveries WHERE state IN ('pending', 'held')",
    )
    expect(again?.n).toBe(killed?.sent)

    const second = await startSeller(place)
    await eventually(
      async () => expect(await now()).toMatchObject({ state: 'finished', sent: LOST }),
      { timeoutMs: 120_000, pauseMs: 50 },
    )
    expect(receiver.seen).toEqual([])
    await database.transact((tx) => operations.resume(tx, channel))
    await drained(database, 120_000)
    expect(receiver.seen).toHaveLength(LOST)
    expect(new Set(receiver.seen.map(({ idempotency_key: key }) => key)).size).toBe(LOST)
    expect(await second.stop()).toBe(0)
  },
)
