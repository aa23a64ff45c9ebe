// The one writer of a SQLite file: runs transactions in turn and commits those that wait together
// as one, each behind its own savepoint, so that a burst costs one fsync and a failure undoes only
// its own work. A transaction's promise resolves after the commit that holds it, never before.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { StorageUnavailable } from '../../lib/transaction.ts'
import type { Queryable, SqlTransaction } from '../sql/database.ts'
import { isBusy, sqliteError } from './errors.ts'

export interface Writer {
  transact<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>
  /** Waits for what was handed in, then refuses more. */
  close(): Promise<void>
}

export interface WriterOptions {
  connection: DatabaseSyncInstance
  queryable: Queryable
  now: () => number
  wake: (topic: string) => void
  /** Called after each commit, before anyone is told of it. */
  onCommit: () => void
}

interface Job {
  work(tx: SqlTransaction): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface Done {
  job: Job
  value: unknown
}

/** Most transactions that share a commit: bounds how long the first of them waits. */
const MAX_GROUP = 128
/** How long to wait for another process (an administrative command) that holds the file. */
const BUSY_DEADLINE_MS = 15_000

export function createWriter({
  connection,
  queryable,
  now,
  wake,
  onCommit,
}: WriterOptions): Writer {
  const queue: Job[] = []
  let draining: Promise<void> | undefined
  let closed = false

  async function drain(): Promise<void> {
    while (queue.length > 0) await commitGroup()
    draining = undefined
  }

  async function commitGroup(): Promise<void> {
    const topics = new Set<string>()
    const listeners: (() => void)[] = []
    const taken: Job[] = []
    const done: Done[] = []
    try {
      await begin(connection)
      while (queue.length > 0 && taken.length < MAX_GROUP) {
        const job = queue.shift() as Job
        taken.push(job)
        const outcome = await runJob(job, { topics, listeners }, done.length === 0)
        if (outcome) done.push(outcome)
        else if (done.length === 0) return
      }
      connection.exec('COMMIT')
    } catch (error) {
      rollBack(connection)
      const cause = sqliteError(error)
      // Nothing of the group was committed; when not even BEGIN worked, the first in line hears it.
      // One that failed on its own has heard already, and hears nothing a second time.
      const failed = taken.length > 0 ? taken : queue.splice(0, 1)
      for (const job of failed) job.reject(cause)
      return
    }
    onCommit()
    for (const listener of listeners) listener()
    for (const { job, value } of done) job.resolve(value)
    for (const topic of topics) wake(topic)
  }

  // The first of a group needs no savepoint: when it fails there is nothing else to keep.
  async function runJob(
    job: Job,
    group: { topics: Set<string>; listeners: (() => void)[] },
    isFirst: boolean,
  ): Promise<Done | undefined> {
    const topics: string[] = []
    const listeners: (() => void)[] = []
    const tx: SqlTransaction = {
      ...queryable,
      now: async () => now(),
      wake: async (topic) => {
        topics.push(topic)
      },
      afterCommit: (listener) => {
        listeners.push(listener)
      },
    }
    if (!isFirst) connection.exec('SAVEPOINT job')
    try {
      const value = await job.work(tx)
      if (!isFirst) connection.exec('RELEASE job')
      for (const topic of topics) group.topics.add(topic)
      group.listeners.push(...listeners)
      return { job, value }
    } catch (error) {
      // A full disk may have undone the whole transaction already; then the group fails as one.
      if (!connection.isTransaction) {
        job.reject(error)
        throw error
      }
      if (isFirst) connection.exec('ROLLBACK')
      else connection.exec('ROLLBACK TO job; RELEASE job')
      job.reject(error)
      return undefined
    }
  }

  return {
    transact: <T>(work: (tx: SqlTransaction) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        if (closed) {
          reject(new StorageUnavailable('the database is closed'))
          return
        }
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
        // Started a microtask later, so that callers of the same tick share the first commit.
        draining ??= Promise.resolve().then(drain)
      }),
    close: async () => {
      closed = true
      await draining
    },
  }
}

async function begin(connection: DatabaseSyncInstance): Promise<void> {
  const deadline = Date.now() + BUSY_DEADLINE_MS
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    try {
      connection.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** When even this fails, the next BEGIN does too, and those who wait hear of that. */
function rollBack(connection: DatabaseSyncInstance): void {
  try {
    if (connection.isTransaction) connection.exec('ROLLBACK')
  } catch {}
}
