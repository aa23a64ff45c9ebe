// What `adwire principals delete` and `adwire orgs delete` share: finding the owner, and the output.

import type { Command } from 'commander'
import { storageCommand } from './settings-options.ts'
import { print, printJson, UsageError } from './terminal.ts'

export interface DeleteFlags {
  force?: boolean
  json?: boolean
}

export function deleteCommand(about: string, idName: string): Command {
  return storageCommand('delete')
    .description(about)
    .argument(`<${idName}|name>`, 'id, or a unique name')
    .option('--force', 'delete even if it is in use; its running work is cancelled')
    .option('--json', 'print what was deleted as JSON')
}

/** The id of the owner. A text that matches no name is taken for an id. */
export function idOf(
  known: readonly { id: string; name: string }[],
  given: string,
  { many }: { many: string },
): string {
  if (known.some(({ id }) => id === given)) return given
  const named = known.filter(({ name }) => name === given)
  if (named.length > 1) {
    const ids = named.map(({ id }) => id).join(', ')
    throw new UsageError(`${named.length} ${many} are named ${given}: use the id, ${ids}`)
  }
  return named[0]?.id ?? given
}

export interface Deleted {
  status: 'in_use' | 'deleted'
  id: Readonly<Record<string, string>>
  ownedRows: object
  /** Which of the rows prevent the deletion. */
  inUse: readonly string[]
}

/** Prints what was deleted, or throws with what prevents it. */
export function printDeleted({ status, id, ownedRows, inUse }: Deleted, flags: DeleteFlags): void {
  const [returned] = Object.values(id)
  if (flags.json) printJson({ ...id, deleted: status === 'deleted', ownedRows })
  if (status === 'in_use') {
    const what = listOf(ownedRows, (name) => inUse.includes(name))
    throw new Error(
      `${returned} has ${what}: nothing was deleted; use --force to cancel and delete all of it`,
    )
  }
  if (flags.json) return
  const what = listOf(ownedRows)
  print(`deleted ${returned}${what === '' ? '' : ` with ${what}`}`)
}

function listOf(ownedRows: object, isReturned: (name: string) => boolean = () => true): string {
  return Object.entries(ownedRows)
    .filter(([name, count]) => count > 0 && isReturned(name))
    .map(([name, count]) => `${name.replaceAll('_', ' ')}: ${count}`)
    .join(', ')
}
