// A database of the version before, with nonces that are still alive, brought up to date.

import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { loadMigrations, migrate } from '../../../src/storage/sql/migrate.ts'
import { createReplayStore } from '../../../src/storage/stores/nonces/replay.ts'
import { emptyDatabase } from '../../support/databases.ts'

const BEFORE = loadMigrations().filter(({ version }) => version < 20)
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

test.each(['sqlite', 'postgres'] as const)(
  'R2: a nonce that was accepted on %s before is refused afterwards, whoever’s key it was',
  async (store) => {
    const { database, drop } = await emptyDatabase(store)
    onTestFinished(drop)
    await migrate(database, BEFORE)
    const expires_at = Math.floor(Date.now() / 1_000) + 300
    await database.transact(async (tx) => {
      await tx.run('INSERT INTO replay_nonces VALUES ($1, $2, $3, 0)', [
        digest(JSON.stringify(['k1', 'used'])),
        'key:k1',
        expires_at,
      ])
      await tx.run("INSERT INTO replay_counters VALUES ('key:k1', 100000), ('all', 100000)")
    })

    await migrate(database)

    const replay = createReplayStore(database)
    const key = { signer: 'https://seller.example/mcp', keyid: 'k1' }
    const other = { signer: 'https://other.example/mcp', keyid: 'k1' }
    for (const one of [key, other]) {
      expect(await replay.has(one, 'used')).toBe(true)
      expect(await replay.insert({ ...one, nonce: 'used', expiresAt: expires_at })).toBe('seen')
      expect(await replay.insert({ ...one, nonce: 'new', expiresAt: expires_at })).toBe('added')
    }
    // The places that the old ones took are counted anew.
    expect(await replay.isFull(key)).toBe(false)
    expect(
      await database.read.all('SELECT counter_id, stored FROM replay_counters ORDER BY stored, 1'),
    ).toHaveLength(5)
  },
)
