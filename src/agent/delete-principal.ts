// Deletes a principal and everything it owns, in one transaction. Nothing remains except what must still be sent to
// its platforms. Data that others rely on does not belong to it: the catalogue of signals and the registry stay
// unchanged.

import type { Transact, Transaction } from '../lib/transaction.ts'
import type { ActivationStore } from '../signals/activation-store.ts'
import { endRun, UNDO_AFTER_MS } from '../signals/activation-work.ts'
import { TASKS_CANCELED_TOPIC, TASKS_SETTLED_TOPIC } from '../tasks/store.ts'
import type { Principal, PrincipalStore } from './principals.ts'

/** How much a principal owns, by kind. */
export interface OwnedRows {
  /** Tasks that have not ended. */
  open_tasks: number
  /** Webhooks that are neither delivered nor permanently failed. */
  waiting_webhooks: number
  /** Signals that are live on a platform for it, or being activated there. */
  activations: number
  /** Media buys that have not ended. */
  media_buys: number
  /** In its library, archived ones included. */
  creatives: number
  /** Tasks that have ended, and how. */
  ended_tasks: number
  /** Webhooks that were delivered or failed permanently. */
  ended_webhooks: number
  /** Where its task webhooks are sent. */
  registrations: number
  /** Accounts on platforms that it was granted. */
  accounts: number
  /** What it signs its requests with. */
  request_keys: number
  /** Both valid and expired or revoked keys. */
  keys: number
}

/** Rows whose loss or early end someone would notice: deleted only when this is explicitly requested. */
export const IN_USE = [
  'open_tasks',
  'waiting_webhooks',
  'activations',
  'media_buys',
  'creatives',
] as const satisfies readonly (keyof OwnedRows)[]

/** What principals own in all areas, in one place, so that nothing is missed. */
export interface OwnedRowsStore {
  count(tx: Transaction, principalId: string): Promise<OwnedRows>
  /**
   * Deletes everything it owns, keys included. A step, an attempt or a call that is in progress then finds nothing to
   * write its outcome to.
   */
  forget(tx: Transaction, principalId: string): Promise<void>
}

export interface DeletePrincipalPorts {
  transact: Transact
  principals: PrincipalStore
  ownedRows: OwnedRowsStore
  activations: ActivationStore
}

export type DeletedPrincipal =
  | { status: 'unknown' }
  /** Nothing was changed: it owns something that is in use. */
  | { status: 'in_use' | 'deleted'; principal: Principal | undefined; ownedRows: OwnedRows }

export function deletePrincipal(
  ports: DeletePrincipalPorts,
  principalId: string,
  { isForced }: { isForced: boolean },
): Promise<DeletedPrincipal> {
  const { transact, principals, ownedRows } = ports
  return transact(async (tx) => {
    const principal = await principals.lock(tx, principalId)
    const has = await ownedRows.count(tx, principalId)
    // A call that was in progress may have left rows behind when its principal was deleted.
    const isLeft = principalId !== '' && Object.values(has).some((count) => count > 0)
    if (!principal && !isLeft) return { status: 'unknown' }

    const reported = { principal, ownedRows: has }
    if (!isForced && IN_USE.some((what) => has[what] > 0)) return { status: 'in_use', ...reported }
    await takeOffAll(ports, tx, principalId)
    await ownedRows.forget(tx, principalId)
    await principals.remove(tx, principalId)
    await tx.wake(TASKS_CANCELED_TOPIC)
    await tx.wake(TASKS_SETTLED_TOPIC)
    return { status: 'deleted', ...reported }
  })
}

/** The record of each run has everything that the takedown worker needs: it outlives the principal. */
async function takeOffAll(
  { activations }: Pick<DeletePrincipalPorts, 'activations'>,
  tx: Transaction,
  principalId: string,
): Promise<void> {
  const at = await tx.now()
  for (const activation of await activations.lockOn(tx, principalId)) {
    const event = { type: 'stop', at, by: 'principal_deletion', reason: DELETED_REASON } as const
    await endRun(activations, tx, { activation, event, dueAt: at + UNDO_AFTER_MS })
  }
}

const DELETED_REASON = 'its principal was deleted'
