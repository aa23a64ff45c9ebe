// `list_accounts`: the accounts that the caller buys for (spec 4.5). Without any, the list is empty.

import { defined } from '../lib/defined.ts'
import { cursorOf, pageAfter } from '../protocol/cursor.ts'
import {
  type Account,
  type ListAccountsRequest,
  type ListAccountsResponse,
  listAccountsRequest,
  listAccountsResponse,
} from '../protocol/schemas/accounts.ts'
import { defineTask, type Task } from '../protocol/task.ts'
import type { AccountRecord, AccountStore } from './account-store.ts'
import { buyerOf } from './buyer-of.ts'

const DEFAULT_PAGE = 50

export function listAccounts({
  accounts,
}: {
  accounts: AccountStore
}): Task<ListAccountsRequest, ListAccountsResponse> {
  return defineTask({
    name: 'list_accounts',
    summary: 'The accounts that the caller buys for',
    area: 'media-buy',
    access: 'tasks',
    changes: false,
    request: listAccountsRequest,
    response: listAccountsResponse,
    cost: {
      grows: 'accounts of a page',
      limit: 500,
      estimate: ({ pagination }) => 10 + 2 * (pagination?.max_results ?? DEFAULT_PAGE),
    },
    handle: async (request, call) => {
      const { status, sandbox, pagination } = request
      const place = pageAfter('accounts', pagination?.cursor, ['integer', 'text'])
      const page = await accounts.list(buyerOf(call), {
        status,
        sandbox,
        limit: pagination?.max_results ?? DEFAULT_PAGE,
        after: place && { created_at: place[0], account_id: place[1] },
      })
      const last = page.accounts.at(-1)
      const cursor = last && cursorOf('accounts', [last.created_at, last.account_id])
      return {
        accounts: page.accounts.map(serializeAccount),
        pagination: {
          has_more: page.hasMore,
          ...defined({ cursor: page.hasMore ? cursor : undefined }),
          total_count: page.total,
        },
      }
    },
  })
}

export function serializeAccount({ account_id, status, sandbox, account }: AccountRecord): Account {
  const { name, brand, operator, billing, billing_entity, payment_terms } = account
  const { currency, timezone, notification_configs } = account
  return {
    account_id,
    status,
    name,
    brand,
    operator,
    sandbox,
    ...(defined({
      billing,
      billing_entity,
      payment_terms,
      currency,
      timezone,
      notification_configs,
    }) as Partial<Account>),
  }
}
