// A database of the version before, whose activations tell by their words what ended them, brought up to
// date.

import { expect, onTestFinished, test } from 'vitest'
import { loadMigrations, migrate } from '../../../src/storage/sql/migrate.ts'
import { createActivationStore } from '../../../src/storage/stores/signals/activations.ts'
import { emptyDatabase } from '../../support/databases.ts'

const BEFORE = loadMigrations().filter(({ version }) => version < 23)

/** As they were written: the state, the run, and what else there was. */
const OLD = {
  canceled: ['inactive', 'r1', { reason: 'the task that activated it was canceled' }],
  deactivated: ['inactive', 'r2', { reason: 'it was deactivated' }],
  given: ['inactive', 'given_r3', { reason: 'it was deactivated' }],
  givenAndOn: ['activating', 'given_r4', {}],
  deleted: ['inactive', 'r5', { reason: 'its principal was deleted' }],
  late: ['failed', 'r6', { reason: 'it was not live in time' }],
  refused: ['failed', 'r7', { reason: 'it said "activation_id":"given_x" \ud800\u0000' }],
  live: ['live', 'r8', { handle: { activation_id: 'given_by_the_platform' } }],
} as const

const READ = {
  canceled: { origin: 'platform', ended_by: 'cancellation' },
  deactivated: { origin: 'platform', ended_by: 'deactivation' },
  given: { origin: 'catalogue', ended_by: 'deactivation' },
  givenAndOn: { origin: 'catalogue', ended_by: undefined },
  deleted: { origin: 'platform', ended_by: 'principal_deletion' },
  late: { origin: 'platform', ended_by: 'giving_up' },
  refused: { origin: 'platform', ended_by: 'platform' },
  live: { origin: 'platform', ended_by: undefined },
}

test.each(['sqlite', 'postgres'] as const)(
  'spec 3.3: activations that were kept on %s before are read by what ended them and who answers',
  async (store) => {
    const { database, drop } = await emptyDatabase(store)
    onTestFinished(drop)
    await migrate(database, BEFORE)
    await database.transact(async (tx) => {
      for (const [id, [state, activation_id, rest]] of Object.entries(OLD)) {
        const place = { principal_id: 'p', signal_agent_segment_id: id }
        const target = { type: 'platform', platform: 'sandbox' }
        const times = { started_at: 1, changed_at: 2 }
        const old = { ...place, target, changed_at: 1, activation_id, task_id: 't', ...rest }
        await tx.run('INSERT INTO signal_activations VALUES ($1, $2, $3, $4, $5, $6, $7)', [
          'p',
          id,
          '["platform","sandbox",null]',
          state,
          't',
          2,
          JSON.stringify({ ...old, ...times, state }),
        ])
      }
    })

    await migrate(database)

    const found = await createActivationStore(database).find('p', Object.keys(OLD))
    const read = found.map(({ signal_agent_segment_id: id, origin, ended_by }) => [
      id,
      { origin, ended_by },
    ])
    expect(Object.fromEntries(read)).toEqual(READ)
    expect(found.find((one) => one.signal_agent_segment_id === 'live')?.handle).toEqual({
      activation_id: 'given_by_the_platform',
    })
  },
)
