// A media buy of the demo's buyer that waits for the seller's approval. It continues like any other once it is
// approved or rejected.

import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../lib/transaction.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { beginTask } from '../../tasks/change-task.ts'
import type { Storage } from '../open-storage.ts'

const DAY_MS = 24 * 3_600_000

/** Created as a call would create it: the runner finds out that the seller has to approve it. */
export async function addWaitingBuy(
  { tasks }: Pick<Storage, 'tasks'>,
  tx: Transaction,
  owner: string,
): Promise<void> {
  const now = await tx.now()
  const terms = { product_id: 'business_weekly_sponsorship', pricing_option_id: 'flat_week' }
  const request = {
    start_time: new Date(now + 7 * DAY_MS).toISOString(),
    end_time: new Date(now + 14 * DAY_MS).toISOString(),
    packages: [{ ...terms, budget: 12_000 }],
  }
  await beginTask({ tasks }, tx, {
    task_id: `task_${uuid7(now).replaceAll('-', '')}`,
    owner,
    task_type: 'create_media_buy',
    domain: 'media-buy',
    status: 'submitted',
    request,
    context: undefined,
    context_id: undefined,
    is_told: true,
    has_webhook: false,
    state: { media_buy_id: `mb_${randomUUID()}`, hasRequested: false },
    idempotency_key: undefined,
    deadlineMs: 30 * DAY_MS,
  })
}
