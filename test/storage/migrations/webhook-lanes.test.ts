// A database of the version before, with deliveries on their way, brought up to date.

import { expect, onTestFinished, test } from 'vitest'
import { loadMigrations, migrate } from '../../../src/storage/sql/migrate.ts'
import { createOutboxStore } from '../../../src/storage/stores/outbox/outbox.ts'
import { moveCircuit } from '../../../src/webhooks/sender/circuit.ts'
import { emptyDatabase } from '../../support/databases.ts'

const DEAD = 'https://dead.example/hook'
const BEFORE = loadMigrations().filter(({ version }) => version < 19)

test.each(['sqlite', 'postgres'] as const)(
  'what is held on %s is held by a circuit of its own owner, and nothing is lost',
  async (store) => {
    const { database, drop } = await emptyDatabase(store)
    onTestFinished(drop)
    await migrate(database, BEFORE)
    await database.transact(async (tx) => {
      for (const owner of ['prn_a', 'prn_b']) {
        for (const state of ['held', 'pending', 'delivered']) {
          await tx.run(
            `INSERT INTO webhook_channels (channel_id, owner, subject, name, form, url, endpoint,
               scheme, created_at, updated_at)
             VALUES ($1, $2, $1, 'push', 'mcp', $3, $3, 'rfc9421', 1, 1)`,
            [`${owner} ${state}`, owner, DEAD],
          )
          await tx.run(
            `INSERT INTO webhook_deliveries (channel_id, owner, subject, endpoint,
               notification_type, idempotency_key, state, attempts, attempts_before, due_at,
               created_at, expires_at, body)
             VALUES ($1, $2, $1, $3, 'completed', $1, $4, 0, 0, 1, 1, 9000000000000000, $5)`,
            [`${owner} ${state}`, owner, DEAD, state, Buffer.from('{}')],
          )
        }
      }
      await tx.run(
        `INSERT INTO webhook_circuits (endpoint, failures, successes, opened_at, probe_at,
           is_releasing, updated_at) VALUES ($1, 5, 0, 1, 2, 0, 1),
           ('https://other.example/', 3, 0, NULL, NULL, 0, 1)`,
        [DEAD],
      )
    })

    await migrate(database)

    const circuits = await database.read.all(
      'SELECT lane, owner, failures, opened_at, probe_at FROM webhook_circuits ORDER BY lane',
    )
    expect(circuits).toEqual(
      ['prn_a', 'prn_b'].map((owner) => ({
        lane: `${owner} ${DEAD}`,
        owner,
        failures: 5,
        opened_at: 1,
        probe_at: 2,
      })),
    )
    const outbox = createOutboxStore(database, { moveCircuit })
    expect(await outbox.stats()).toMatchObject({
      waiting: { pending: 2, held: 2 },
      openCircuits: 2,
      limbo: 0,
    })
    // Each owner's probe goes by itself.
    const { claimed } = await database.transact((tx) =>
      outbox.claim(tx, { limit: 100, leaseMs: 60_000, choose: (due) => due }),
    )
    expect(claimed.map(({ channel }) => channel.owner).sort()).toEqual(['prn_a', 'prn_b'])
  },
)
