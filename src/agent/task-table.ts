// The one table of tasks. A task added here is available over every transport, in the capabilities, in the schemas
// and in the OpenAPI description, without another edit.

import type { z } from 'zod'
import type { Identifiers } from '../protocol/identifiers.ts'
import { withRequestEnvelope, withResponseEnvelope } from '../protocol/schemas/envelope.ts'
import type { AnyTask, Caller } from '../protocol/task.ts'

/** A task with the members that every request and answer may have. */
export interface TableEntry {
  task: AnyTask
  /** The name this entry is called by: its canonical name or an alias. */
  name: string
  request: z.ZodType<Record<string, unknown>>
  response: z.ZodType<Record<string, unknown>>
}

export interface TaskTable {
  /** By its name, an alias, or a spelling that earlier callers of the protocol use. */
  find(name: string): TableEntry | undefined
  /** Every name that can be called, aliases included, in the order of the table. */
  entries: readonly TableEntry[]
  /** The entries this caller may see; without a principal, those that are visible to everyone. */
  knownTo(principal: Caller | undefined): readonly TableEntry[]
}

/** Names that are accepted but not listed. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['tasks/get', 'get_task_status'],
  ['tasks/list', 'list_tasks'],
])

export function createTaskTable(tasks: readonly AnyTask[], identifiers: Identifiers): TaskTable {
  const byName = new Map<string, TableEntry>()
  for (const task of tasks) {
    const request = withRequestEnvelope(task.request, identifiers)
    const response = withResponseEnvelope(task.response, identifiers)
    for (const name of [task.name, ...(task.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`two tasks are called ${name}`)
      // Programs that embed the server provide their own tasks, perhaps in plain JavaScript.
      if (typeof task.cost?.estimate !== 'function')
        throw new Error(`task ${name} declares no cost`)
      byName.set(name, { task, name, request, response })
    }
  }
  const entries = [...byName.values()]
  return {
    find: (name) => byName.get(name) ?? byName.get(SPELLINGS.get(name) ?? ''),
    entries,
    knownTo: (principal) => entries.filter(({ task }) => task.isKnownTo?.(principal) ?? true),
  }
}
