import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinPostgres } from '../../../src/storage/postgres/join-postgres.ts'
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts'
import type { Database } from '../../../src/storage/sql/database.ts'
import { migrate } from '../../../src/storage/sql/migrate.ts'
import { createOutboxOperations } from '../../../src/storage/stores/outbox/operations.ts'
import { createOutboxStore } from '../../../src/storage/stores/outbox/outbox.ts'
import { moveCircuit } from '../../../src/webhooks/sender/circuit.ts'
import { DELIVERIES_TOPIC, type NewDelivery } from '../../../src/webhooks/sender/store.ts'
import { emptyPostgres } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'

let database: Database
let drop: () => Promise<void>
let client: pg.Client

beforeAll(async () => {
  const empty = await emptyPostgres()
  drop = empty.drop
  database = openPostgres({ url: empty.url })
  await migrate(database)
  // A program of its own, which leaves 64-bit numbers as the text that the driver gives.
  client = new pg.Client({ connectionString: empty.url })
  await client.connect()
  await client.query('CREATE TABLE orders (id TEXT)')
})

afterAll(async () => {
  await client.end()
  await database.close()
  await drop()
})

const outbox = () => createOutboxStore(database, { moveCircuit })

const delivery = (): NewDelivery => ({
  channel: {
    channel_id: 'c',
    owner: 'o',
    subject: 's',
    endpoint: 'https://buyer.example/hook',
    paused_at: undefined,
  },
  task_id: undefined,
  operation_id: undefined,
  notification_type: 'working',
  sequence_number: undefined,
  idempotency_key: randomUUID(),
  body: Buffer.from('{}'),
})

async function order(end: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  await client.query('BEGIN')
  await client.query("INSERT INTO orders VALUES ('one')")
  const tx = joinPostgres(client)
  expect(Math.abs((await tx.now()) - Date.now())).toBeLessThan(5_000)
  await outbox().add(tx, [delivery()], 1_000)
  await client.query(end)
}

test('what is emitted in someone’s own transaction commits and wakes with it', async () => {
  let woken = 0
  const stop = database.onWake(DELIVERIES_TOPIC, () => woken++)
  await eventually(() => expect(woken).toBe(1))
  await order('COMMIT')
  await eventually(() => expect(woken).toBe(2))
  stop()
  expect(await createOutboxOperations(database).list({})).toHaveLength(1)
  const { rows } = await client.query('SELECT count(*) AS orders FROM orders')
  expect(rows).toEqual([{ orders: '1' }])
})

test('and is undone with it', async () => {
  await order('ROLLBACK')
  expect(await createOutboxOperations(database).list({})).toHaveLength(1)
})
