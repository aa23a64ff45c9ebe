// The migrations in ../migrations/: one folder per owner, which is the part of Adwire that the tables belong to, with
// numbered files. Code that opens a database names the owners it needs, and gets only their tables.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Every owner, in the order in which the server creates their tables. No table refers to one of another owner. */
export const OWNERS = [
  'server',
  'quotas',
  'registry',
  'nonces',
  'sender',
  'receiver',
  'creative',
  'signals',
  'media-buys',
  'console',
  'sandbox',
] as const

export type Owner = (typeof OWNERS)[number]

/** The data that `adwire/sender` stores: channels, the outbox, and how many channels each owner has. */
export const SENDER_OWNERS: readonly Owner[] = ['quotas', 'sender']
/** The data that `adwire/receiver` stores: the inbox, and the nonces of signatures. */
export const RECEIVER_OWNERS: readonly Owner[] = ['nonces', 'receiver']

export interface Migration {
  owner: string
  /** Counted from 1 for each owner. */
  version: number
  /** As it is reported: `registry/0001-baseline`. */
  name: string
  sql: string
}

/** In the order of application: owner by owner. */
export function loadMigrations(owners: readonly Owner[] = OWNERS): Migration[] {
  return owners.flatMap((owner) => {
    const folder = fileURLToPath(new URL(`../migrations/${owner}/`, import.meta.url))
    return readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .map((file) => ({
        owner,
        version: Number.parseInt(file, 10),
        name: `${owner}/${file.replace(/\.sql$/, '')}`,
        // Read when it is applied, which is once: most starts have nothing to apply.
        get sql() {
          return readFileSync(`${folder}${file}`, 'utf8')
        },
      }))
  })
}
