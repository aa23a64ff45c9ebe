// What a caller gets when it requests an unknown task: the task that was most likely meant, and the list of tasks.

import { nearNames } from '../lib/near-names.ts'
import { type TaskError, taskError } from '../protocol/errors.ts'
import type { TableEntry } from './task-table.ts'

const SHOWN_NAME_CHARS = 100
const MAX_NEAR = 3

/** Lists only tasks that the caller may see, with the transport's own word for a task. */
export function unknownTask(known: readonly TableEntry[], name: string, noun = 'task'): TaskError {
  const names = known.map((entry) => entry.name)
  const near = nearTasks(name, names)
  const returned = JSON.stringify(name.slice(0, SHOWN_NAME_CHARS))
  const meant = near.length > 0 ? `did you mean ${near.join(' or ')}? The ${noun}s` : `the ${noun}s`
  return taskError(
    'INVALID_REQUEST',
    `unknown ${noun} ${returned}: ${meant} are ${names.join(', ')}`,
    {
      suggestion:
        near.length > 0
          ? `Call ${near.join(' or ')}.`
          : `Call one of the ${noun}s listed in the message.`,
    },
  )
}

/** Names within two edits; otherwise those that contain all its words, such as list_formats. */
function nearTasks(name: string, names: readonly string[]): string[] {
  const given = name.slice(0, SHOWN_NAME_CHARS).toLowerCase().replaceAll('-', '_')
  if (names.includes(given)) return [given]
  const near = nearNames(given, names)
  const words = given.split('_').filter((word) => word.length > 2)
  const alike = names.filter((known) => {
    const others = known.split('_')
    return words.length > 1 && words.every((word) => others.includes(word))
  })
  return (near.length > 0 ? near : alike).slice(0, MAX_NEAR)
}
