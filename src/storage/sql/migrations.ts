// The migrations as they lie in ../migrations/: a folder for each owner, which is the part of Adwire that the tables belong
// to, and in it numbered files. Whoever opens a database names the owners it needs, and gets their tables alone.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Every owner, in the order in which the server makes their tables. A table refers to none of another owner. @internal */
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

/** What `adwire/sender` keeps: channels, the outbox, and how many channels each owner has. */
export const SENDER_OWNERS: readonly Owner[] = ['quotas', 'sender']
/** What `adwire/receiver` keeps: the inbox, and the nonces of signatures. */
export const RECEIVER_OWNERS: readonly Owner[] = ['nonces', 'receiver']

export interface Migration {
  owner: string
  /** Counted from 1 for each owner. */
  version: number
  /** As it is reported: `registry/0001-baseline`. */
  name: string
  sql: string
}

/** In the order in which they are applied: owner by owner. */
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
        sql: readFileSync(`${folder}${file}`, 'utf8'),
      }))
  })
}
