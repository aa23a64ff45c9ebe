// The accounts that buys are made for, in SQL: each only for its owner.

import { eachChunkInTransaction } from '../../../lib/chunks.ts'
import { createPacer } from '../../../lib/pacer.ts'
import type {
  AccountContent,
  AccountRecord,
  AccountStore,
} from '../../../media-buys/account-store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, placeholders, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { readPage } from '../../sql/pages.ts'

/** Accounts that are read or written at once: each may have some kilobytes. */
const AT_ONCE = 200

const COLUMNS = `account_id, owner, account_key, status, sandbox, created_at, updated_at, account`

interface Row extends Omit<AccountRecord, 'sandbox' | 'account'> {
  sandbox: number
  account: string
}

export function createAccountStore(database: Database): AccountStore {
  const { read } = database
  return {
    ...accountsOfCalls(database),
    lockOwner: async (tx, owner) => {
      // A row that does not exist yet cannot be locked.
      await sqlOf(tx).lock(`buyer accounts ${owner}`)
    },
    put: (tx, accounts) =>
      eachChunkInTransaction(accounts, AT_ONCE, async (chunk) => {
        await sqlOf(tx).runEach(
          `INSERT INTO buyer_accounts (${COLUMNS}) VALUES ${placeholders(1, 8)}
           ON CONFLICT (account_id) DO UPDATE SET status = excluded.status,
             updated_at = excluded.updated_at, account = excluded.account
           WHERE buyer_accounts.owner = excluded.owner`,
          chunk.map((one) => [
            one.account_id,
            one.owner,
            one.account_key,
            one.status,
            one.sandbox ? 1 : 0,
            one.created_at,
            one.updated_at,
            JSON.stringify(one.account),
          ]),
        )
      }),
    count: async (tx, owner) => {
      const row = await sqlOf(tx).get<{ n: number }>(
        'SELECT count(*) AS n FROM buyer_accounts WHERE owner = $1',
        [owner],
      )
      return row?.n ?? 0
    },
    list: async (owner, { status, sandbox, limit, after }) => {
      const conditions = createConditions()
      conditions.is('owner =', owner)
      conditions.is('status =', status)
      conditions.is('sandbox =', sandbox === undefined ? undefined : Number(sandbox))
      const counted = await read.get<{ n: number }>(
        `SELECT count(*) AS n FROM buyer_accounts${conditions.where()}`,
        conditions.params,
      )
      const { rows, hasMore } = await readPage<Row>(read, {
        select: `SELECT ${COLUMNS} FROM buyer_accounts`,
        conditions,
        keys: ['created_at', 'account_id'],
        direction: 'asc',
        after: after && [after.created_at, after.account_id],
        limit,
      })
      return { accounts: rows.map(accountOf), hasMore, total: counted?.n ?? 0 }
    },
  }
}

/** The accounts that a call names, and those that it does not. */
function accountsOfCalls({
  read,
}: Database): Pick<AccountStore, 'byKeys' | 'byId' | 'byIds' | 'others'> {
  return {
    byKeys: async (tx, owner, keys) => {
      const rows = await sqlOf(tx).all<Row>(
        `SELECT ${COLUMNS} FROM buyer_accounts
         WHERE owner = $1 AND ${isIn('account_key', 2)} ORDER BY account_id`,
        [owner, listed(keys)],
      )
      return rows.map(accountOf)
    },
    byId: async (tx, owner, accountId) => {
      const conditions = createConditions()
      conditions.is('owner =', owner)
      conditions.is('account_id =', accountId)
      const row = await sqlOf(tx).get<Row>(
        `SELECT ${COLUMNS} FROM buyer_accounts${conditions.where()}`,
        conditions.params,
      )
      return row && accountOf(row)
    },
    byIds: async (owner, ids) => {
      const conditions = createConditions()
      conditions.is('owner =', owner)
      conditions.isIn('account_id', ids)
      const rows = await read.all<Row>(
        `SELECT ${COLUMNS} FROM buyer_accounts${conditions.where()}`,
        conditions.params,
      )
      return rows.map(accountOf)
    },
    others: async (tx, owner, keys) => {
      const named = new Set(keys)
      const found: AccountRecord[] = []
      const pacer = createPacer({ isInTransaction: true })
      for (let after = ''; ; ) {
        const rows = await sqlOf(tx).all<Row>(
          `SELECT ${COLUMNS} FROM buyer_accounts
           WHERE owner = $1 AND status <> 'closed' AND account_key > $2
           ORDER BY account_key LIMIT ${AT_ONCE}`,
          [owner, after],
        )
        for (const row of rows) if (!named.has(row.account_key)) found.push(accountOf(row))
        after = rows.at(-1)?.account_key ?? ''
        if (rows.length < AT_ONCE) return found
        if (pacer.isDue()) await pacer.pause()
      }
    },
  }
}

function accountOf(row: Row): AccountRecord {
  return {
    ...row,
    sandbox: row.sandbox === 1,
    account: JSON.parse(row.account) as AccountContent,
  }
}
