// A notification about a media buy has its own task_id (spec 2.10). It is stored as a task that has ended, so that a
// receiver can look it up like any other task_id (spec 3.2).

import type { Transaction } from '../lib/transaction.ts'
import type { TaskStore } from '../tasks/store.ts'
import type { ChannelEvent, Emitter } from '../webhooks/sender/emit.ts'

/** Events of a buy that happen without a call: the end of `create_media_buy` is a different event. */
export const NOTIFICATION_TASK_TYPE = 'update_media_buy'

/** The same sender; what it sends can be looked up afterwards. */
export function withTasks<S extends Pick<Emitter, 'emit'>>(
  sender: S,
  tasks: Pick<TaskStore, 'addEnded'>,
): S {
  const emit = async (tx: Transaction, event: ChannelEvent): Promise<number> => {
    const added = await sender.emit(tx, event)
    if (added > 0) await keepTask(tasks, tx, event)
    return added
  }
  return { ...sender, emit }
}

async function keepTask(
  tasks: Pick<TaskStore, 'addEnded'>,
  tx: Transaction,
  { task_id, owner, task_type, domain, message, result, context, context_id }: ChannelEvent,
): Promise<void> {
  await tasks.addEnded(tx, {
    task_id,
    owner,
    task_type,
    domain,
    message,
    result,
    context,
    context_id,
  })
}
