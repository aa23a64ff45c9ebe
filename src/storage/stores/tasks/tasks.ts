// Tasks in SQL: the record that outlives its process, the claims by which instances share the steps, and the history
// of each task.

import { canonicalDigest } from '../../../lib/canonical-json.ts'
import type { PossiblyPoisonJob } from '../../../lib/poison-jobs.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { parseVerbatim, verbatimOf } from '../../../lib/verbatim-json.ts'
import { NO_LIMITS, type QuotaLimits, quotaExceeded } from '../../../protocol/quota.ts'
import type { OwnerShare } from '../../../tasks/owner-share.ts'
import {
  type ClaimedTask,
  type EndedTask,
  type HistoryEntry,
  type KeptRequest,
  type NewTask,
  REPEATABLE_MS,
  type TaskRecord,
  type TaskStore,
} from '../../../tasks/store.ts'
import { type Database, type SqlValue, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { FOR_UPDATE, SKIP_LOCKED } from '../../sql/locks.ts'
import { takeAny } from '../../sql/take-any.ts'
import { createHeadroom, isFar, lockOwner } from '../organizations/quota-usage.ts'
import { type ChooseDue, createChooseDue } from './due.ts'
import { listTasks, type SummaryRow, summaryOf } from './list.ts'

const COLUMNS = `task_id, owner, task_type, domain, status, message, progress, input_required, result,
  errors, context, context_verbatim, context_id, generation, is_told, has_webhook, state, input, tries, lost, run, due_at,
  deadline_at, created_at, updated_at, completed_at`

interface Row extends SummaryRow {
  message: string | null
  progress: string | null
  input_required: string | null
  result: string | null
  errors: string | null
  context: string | null
  context_verbatim: string | null
  context_id: string | null
  generation: string | null
  is_told: number
  state: string | null
  input: string | null
  tries: number
  lost: number
  run: number
  due_at: number | null
  deadline_at: number
}

type RowWithRequest = Row & { request: string }

/** Entries kept of a task's history. */
const HISTORY_LENGTH = 50
const SWEPT_AT_ONCE = 500

export function createTaskStore(
  database: Database,
  { open_tasks: maxOpen }: Pick<QuotaLimits, 'open_tasks'> = NO_LIMITS,
): TaskStore {
  const { read } = database
  const headroom = createHeadroom()
  return {
    ...taskClaims(),
    add: async (tx, task) => {
      if (maxOpen !== NO_LIMITS.open_tasks && !headroom.take(task.owner, 1)) {
        const open = await refuseMore(tx, task.owner, maxOpen)
        headroom.note(task.owner, maxOpen - open - 1)
      }
      return addTask(tx, task)
    },
    addEnded,
    findByKey,
    get: async ({ owner, task_id }, { evenUntold = false } = {}) => {
      if (!isStorable(task_id)) return undefined
      const row = await read.get<Row>(
        `SELECT ${COLUMNS} FROM tasks WHERE task_id = $1 AND owner = $2`,
        [task_id, owner],
      )
      return row && (row.is_told === 1 || evenUntold) ? recordOf(row) : undefined
    },
    lock: async (tx, { task_id, owner }) => {
      if (!isStorable(task_id)) return undefined
      const row = await sqlOf(tx).get<Row>(
        `SELECT ${COLUMNS} FROM tasks WHERE task_id = $1 ${FOR_UPDATE}`,
        [task_id],
      )
      return row && (owner === undefined || row.owner === owner) ? recordOf(row) : undefined
    },
    save: saveTask,
    report: async (tx, { owner, task_id }) => {
      const row = await sqlOf(tx).get<Row>(
        `UPDATE tasks SET is_told = 1
         WHERE task_id = $1 AND owner = $2 AND completed_at IS NULL RETURNING ${COLUMNS}`,
        [task_id, owner],
      )
      return row && recordOf(row)
    },
    list: (owner, query) => listTasks(database, owner, query),
    settled: async (taskIds) => {
      const rows = await read.all<{ task_id: string }>(
        `SELECT task_id FROM tasks WHERE ${isIn('task_id', 1)}
           AND (completed_at IS NOT NULL OR status = 'input-required')`,
        [listed(taskIds)],
      )
      return rows.map(({ task_id }) => task_id)
    },
    append,
    history: (taskIds) => history(database, taskIds),
    sweep: async (tx, { reported, untold }) =>
      sqlOf(tx).run(
        `DELETE FROM tasks WHERE task_id IN (
           SELECT task_id FROM tasks
           WHERE completed_at < $1 OR (completed_at < $2 AND is_told = 0)
           ORDER BY completed_at LIMIT $3)`,
        [reported, untold, SWEPT_AT_ONCE],
      ),
  }
}

/** The claims by which instances share the steps of tasks. */
function taskClaims(): Pick<TaskStore, 'claimDue' | 'renew' | 'release' | 'takeBackAll'> {
  const on = { chooseDue: createChooseDue() }
  return {
    claimDue: (tx, options) => claimDue(on, tx, options),
    renew: async (tx, { task_id, run }, leaseMs) =>
      (await sqlOf(tx).run('UPDATE tasks SET due_at = $3 WHERE task_id = $1 AND run = $2', [
        task_id,
        run,
        (await tx.now()) + leaseMs,
      ])) > 0,
    release: async (tx, { task_id, run }) =>
      (await sqlOf(tx).run(
        `UPDATE tasks SET due_at = $3, run = run + 1, lost = lost - 1
         WHERE task_id = $1 AND run = $2`,
        [task_id, run, await tx.now()],
      )) > 0,
    // Ending a claim either resets `lost` or makes the task due: a task with neither is claimed.
    takeBackAll: async (tx) =>
      sqlOf(tx).run('UPDATE tasks SET due_at = $1, run = run + 1 WHERE lost > 0 AND due_at > $1', [
        await tx.now(),
      ]),
  }
}

/** The number of open tasks. Counted from the rows: only owners with many pay for it, and it cannot drift. */
async function refuseMore(tx: Transaction, owner: string, limit: number): Promise<number> {
  const count = async () => {
    const row = await sqlOf(tx).get<{ used: number }>(
      `SELECT count(*) AS used FROM (
         SELECT 1 FROM tasks WHERE owner = $1 AND completed_at IS NULL LIMIT $2) AS open`,
      [owner, limit],
    )
    return row?.used ?? 0
  }
  const open = await count()
  if (isFar(open, 1, limit)) return open
  await lockOwner({ tx: sqlOf(tx) }, owner, 'open_tasks')
  const used = await count()
  if (used >= limit) throw quotaExceeded('open_tasks', { limit, used })
  return used
}

async function addTask(tx: Transaction, task: NewTask): Promise<TaskRecord> {
  const now = await tx.now()
  const context = json(task.context)
  const written = verbatimOf(task.context) ?? null
  const row = await sqlOf(tx).get<Row>(
    `INSERT INTO tasks (task_id, owner, task_type, domain, status, request, context, context_id,
       idempotency_key, is_told, has_webhook, state, tries, run, due_at, deadline_at, created_at,
       updated_at, request_digest, context_verbatim, generation)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, 0, $13, $14, $13, $13, $15, $16, $17)
     RETURNING ${COLUMNS}`,
    [
      task.task_id,
      task.owner,
      task.task_type,
      task.domain,
      task.status,
      JSON.stringify(task.request),
      context,
      plain(task.context_id),
      task.idempotency_key ?? null,
      task.is_told ? 1 : 0,
      task.has_webhook ? 1 : 0,
      json(task.state),
      now,
      now + task.deadlineMs,
      canonicalDigest(task.request),
      written === context ? null : written,
      task.generation ?? null,
    ],
  )
  return recordOf(row as Row)
}

async function addEnded(tx: Transaction, task: EndedTask): Promise<void> {
  const { message, result } = task
  const added = await addTask(tx, {
    ...task,
    status: 'completed',
    is_told: true,
    has_webhook: true,
    state: undefined,
    request: {},
    idempotency_key: undefined,
    deadlineMs: 0,
  })
  const completed_at = added.created_at
  await saveTask(tx, { ...added, message, result, due_at: undefined, completed_at })
}

async function findByKey(
  tx: Transaction,
  key: { owner: string; task_type: string; idempotency_key: string },
): Promise<(TaskRecord & { requestDigest: string }) | undefined> {
  const { owner, task_type, idempotency_key } = key
  // A row that does not exist yet cannot be locked.
  await sqlOf(tx).lock(`task ${owner} ${task_type} ${idempotency_key}`)
  const row = await sqlOf(tx).get<RowWithRequest & { request_digest: string | null }>(
    `SELECT ${COLUMNS}, request, request_digest FROM tasks
     WHERE owner = $1 AND task_type = $2 AND idempotency_key = $3 AND created_at > $4
     ORDER BY created_at DESC, task_id DESC LIMIT 1`,
    [owner, task_type, idempotency_key, (await tx.now()) - REPEATABLE_MS],
  )
  if (!row) return undefined
  return { ...recordOf(row), requestDigest: row.request_digest ?? canonicalDigest(requestOf(row)) }
}

async function saveTask(tx: Transaction, task: TaskRecord): Promise<boolean> {
  const saved = await sqlOf(tx).run(
    `UPDATE tasks SET status = $3, message = $4, progress = $5, input_required = $6, result = $7,
       errors = $8, state = $9, input = $10, tries = $11, due_at = $12, updated_at = $13,
       completed_at = $14, lost = 0, run = run + 1,
       request = CASE WHEN CAST($14 AS BIGINT) IS NULL THEN request ELSE '{}' END
     WHERE task_id = $1 AND run = $2`,
    [
      task.task_id,
      task.run,
      task.status,
      plain(task.message),
      json(task.progress),
      json(task.input_required),
      json(task.result),
      json(task.errors),
      json(task.state),
      json(task.input),
      task.tries,
      task.due_at ?? null,
      task.updated_at,
      task.completed_at ?? null,
    ],
  )
  return saved > 0
}

const ANY_OWNER: OwnerShare = { take: () => true, full: () => [] }

/** Lost tasks that one claim examines. */
const LOST_AT_ONCE = 100

async function claimDue(
  { chooseDue }: { chooseDue: ChooseDue },
  tx: Transaction,
  { limit, leaseMs, types, chooseLost, share = ANY_OWNER }: Parameters<TaskStore['claimDue']>[1],
): Promise<ClaimedTask[]> {
  const now = await tx.now()
  const lost = await sqlOf(tx).all<PossiblyPoisonJob>(
    `SELECT task_id AS id, lost FROM tasks
     WHERE lost > 0 AND due_at <= $1 AND ${isIn('task_type', 2)}
     ORDER BY due_at LIMIT ${LOST_AT_ONCE} ${SKIP_LOCKED}`,
    [now, listed(types)],
  )
  const chosen = (chooseLost ?? takeAny(limit))(lost)
  const query = { tx: sqlOf(tx), now, types, limit: chosen.others, share }
  const others = chosen.others > 0 ? await chooseDue(query) : []
  const claimed = [...chosen.lost, ...others]
  if (claimed.length === 0) return []
  // A task that another instance has claimed since it was read is no longer due.
  const rows = await sqlOf(tx).all<RowWithRequest>(
    `UPDATE tasks SET due_at = $1, run = run + 1, lost = lost + 1
     WHERE ${isIn('task_id', 2)} AND due_at <= $3 RETURNING ${COLUMNS}, request`,
    [now + leaseMs, listed(claimed), now],
  )
  return rows.map((row) => ({ ...recordOf(row), request: requestOf(row), claimed_at: now }))
}

async function append(tx: Transaction, taskId: string, entry: HistoryEntry): Promise<void> {
  const { at, type, data } = entry
  const last = await sqlOf(tx).get<{ entry: number }>(
    'SELECT coalesce(max(entry), 0) AS entry FROM task_history WHERE task_id = $1',
    [taskId],
  )
  const number = Number(last?.entry ?? 0) + 1
  await sqlOf(tx).run(
    'INSERT INTO task_history (task_id, entry, at, type, data) VALUES ($1, $2, $3, $4, $5)',
    [taskId, number, at, type, JSON.stringify(data)],
  )
  // The first entry is the request: the history makes no sense without it.
  await sqlOf(tx).run('DELETE FROM task_history WHERE task_id = $1 AND entry > 1 AND entry <= $2', [
    taskId,
    number - HISTORY_LENGTH + 1,
  ])
}

async function history(
  { read }: Database,
  taskIds: readonly string[],
): Promise<Map<string, HistoryEntry[]>> {
  const rows = await read.all<{
    task_id: string
    at: number
    type: HistoryEntry['type']
    data: string
  }>(
    `SELECT task_id, at, type, data FROM task_history WHERE ${isIn('task_id', 1)}
     ORDER BY task_id, entry`,
    [listed(taskIds)],
  )
  const said = new Map<string, HistoryEntry[]>(taskIds.map((id) => [id, []]))
  for (const { task_id, at, type, data } of rows) {
    said.get(task_id)?.push({ at, type, data: JSON.parse(data) })
  }
  return said
}

function recordOf(row: Row): TaskRecord {
  return {
    ...summaryOf(row),
    message: row.message ?? undefined,
    progress: parsed<TaskRecord['progress']>(row.progress),
    input_required: parsed<TaskRecord['input_required']>(row.input_required),
    result: parsed<object>(row.result),
    errors: parsed<TaskRecord['errors']>(row.errors),
    context: contextOf(row),
    context_id: row.context_id ?? undefined,
    generation: row.generation ?? undefined,
    is_told: row.is_told === 1,
    state: parsed<unknown>(row.state),
    input: parsed<TaskRecord['input']>(row.input),
    tries: row.tries,
    lost: row.lost,
    run: row.run,
    due_at: row.due_at ?? undefined,
    deadline_at: row.deadline_at,
  }
}

function contextOf({ context, context_verbatim }: Row): object | undefined {
  const text = context_verbatim ?? context
  return text === null ? undefined : (parseVerbatim(text) as object)
}

function requestOf({ request }: RowWithRequest): KeptRequest {
  return JSON.parse(request) as KeptRequest
}

/** PostgreSQL cannot store NUL in a text, and a caller may have sent one. */
function plain(text: string | undefined): SqlValue {
  return text?.replaceAll('\0', '') ?? null
}

function json(value: unknown): SqlValue {
  return value === undefined ? null : JSON.stringify(value)
}

function parsed<T>(text: string | null): T | undefined {
  return text === null ? undefined : (JSON.parse(text) as T)
}
