// The accounts that principals may use on platforms, in SQL (spec 2.7).

import type { AccountGrant, GrantStore } from '../../../signals/activation-store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'

export function createGrantStore({ read }: Database): GrantStore {
  return {
    grant: async (tx, principalId, { platform, account }) => {
      const added = await sqlOf(tx).run(
        `INSERT INTO principal_accounts (principal_id, platform, account, granted_at)
         VALUES ($1, $2, $3, $4) ON CONFLICT (principal_id, platform, account) DO NOTHING`,
        [principalId, platform, account, await tx.now()],
      )
      return added > 0
    },
    revoke: async (tx, principalId, { platform, account }) => {
      const deleted = await sqlOf(tx).run(
        `DELETE FROM principal_accounts
         WHERE principal_id = $1 AND platform = $2 AND account = $3`,
        [principalId, platform, account],
      )
      return deleted > 0
    },
    of: (principalId) =>
      read.all<AccountGrant>(
        `SELECT platform, account FROM principal_accounts WHERE principal_id = $1
         ORDER BY platform, account`,
        [principalId],
      ),
  }
}
