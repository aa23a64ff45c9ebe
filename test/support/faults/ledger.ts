// What the database holds about tasks and deliveries, to be compared with what receivers saw.

import type { Database } from '../../../src/storage/sql/database.ts'
import { createOutboxStore } from '../../../src/storage/stores/outbox/outbox.ts'
import { moveCircuit } from '../../../src/webhooks/sender/circuit.ts'
import type { AttemptStatus, DeliveryState } from '../../../src/webhooks/sender/store.ts'
import { eventually } from '../eventually.ts'

export interface DeliveryRow {
  delivery_id: number
  channel_id: string
  task_id: string
  endpoint: string
  notification_type: string
  idempotency_key: string
  state: DeliveryState
  reason: string | null
  attempts: number
  due_at: number
  created_at: number
  body: Uint8Array
}

export interface AttemptRow {
  delivery_id: number
  attempt: number
  url: string
  status: AttemptStatus
  http_status_code: number | null
  error_message: string | null
  fired_at: number
  completed_at: number | null
}

export interface TaskRow {
  task_id: string
  status: string
  has_webhook: number
  /** The statuses that it was answered with, oldest first. */
  history: string[]
}

export interface Ledger {
  /** In the order they were emitted. */
  deliveries: DeliveryRow[]
  attempts: AttemptRow[]
  tasks: TaskRow[]
  limbo: number
}

export async function readLedger(database: Database): Promise<Ledger> {
  const { read } = database
  const deliveries = await read.all<DeliveryRow>(
    `SELECT delivery_id, channel_id, task_id, endpoint, notification_type, idempotency_key, state,
       reason, attempts, due_at, created_at, body FROM webhook_deliveries ORDER BY delivery_id`,
  )
  const attempts = await read.all<AttemptRow>(
    `SELECT delivery_id, attempt, url, status, http_status_code, error_message, fired_at,
       completed_at FROM webhook_attempts ORDER BY delivery_id, attempt`,
  )
  const { limbo } = await outboxOf(database).stats()
  return { deliveries, attempts, tasks: await readTasks(database), limbo }
}

async function readTasks({ dialect, read }: Database): Promise<TaskRow[]> {
  // The file of the sender's library has no table of tasks.
  const names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'tasks'"
  if (dialect === 'sqlite' && (await read.all(names)).length === 0) return []
  const tasks = await read.all<Omit<TaskRow, 'history'>>(
    'SELECT task_id, status, has_webhook FROM tasks ORDER BY created_at',
  )
  const said = await read.all<{ task_id: string; data: string }>(
    "SELECT task_id, data FROM task_history WHERE type = 'response' ORDER BY task_id, entry",
  )
  const byTask = groupBy(said, ({ task_id }) => task_id)
  return tasks.map((task) => ({
    ...task,
    history: (byTask.get(task.task_id) ?? []).map(
      ({ data }) => (JSON.parse(data) as { status: string }).status,
    ),
  }))
}

const outboxOf = (database: Database) => createOutboxStore(database, { moveCircuit })

/** Waits until no task runs and nothing is on its way. */
export async function drained(database: Database, timeoutMs: number): Promise<void> {
  await eventually(
    async () => {
      const { waiting, limbo } = await outboxOf(database).stats()
      const running = await database.read.get<{ n: number }>(
        'SELECT count(*) AS n FROM tasks WHERE completed_at IS NULL',
      )
      const left = { ...waiting, limbo, tasks: running?.n }
      if (Object.values(left).every((count) => count === 0)) return
      throw new Error(`not drained within ${timeoutMs} ms: ${JSON.stringify(left)} are left`)
    },
    { timeoutMs, pauseMs: 100 },
  )
}

export function groupBy<Key, Item>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
