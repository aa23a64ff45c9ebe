// Random secrets shared by all instances on one database. The first instance that needs one creates it.

import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, sqlOf } from '../../sql/database.ts'

export interface ServerSecretStore {
  /** The secret with this name. If it does not exist, `make` is called to create it. */
  getOrCreate(tx: Transaction, name: string, make: () => string): Promise<string>
}

export function createServerSecretStore(_database: Database): ServerSecretStore {
  return {
    getOrCreate: async (tx, name, make) => {
      const known = await find(tx, name)
      if (known !== undefined) return known
      // If two insert at once, one waits for the other and then finds its secret.
      await sqlOf(tx).run(
        `INSERT INTO server_secrets (name, value, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (name) DO NOTHING`,
        [name, make(), await tx.now()],
      )
      return (await find(tx, name)) as string
    },
  }
}

async function find(tx: Transaction, name: string): Promise<string | undefined> {
  const row = await sqlOf(tx).get<{ value: string }>(
    'SELECT value FROM server_secrets WHERE name = $1',
    [name],
  )
  return row?.value
}
