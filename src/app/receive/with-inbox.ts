// Opens the data of `adwire receive`, for the commands that work on it while a receiver runs.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openReceiverStorage, type ReceiverStorage } from '../../receiver/open-receiver-storage.ts'
import { SQLITE_FILE } from '../../storage/sqlite/database-file.ts'

export type Inbox = Pick<ReceiverStorage, 'transact' | 'operations'>

export interface InboxPlace {
  data: string
  databaseUrl: string | undefined
  databaseSchema: string
}

/** Rejects for a folder that no receiver has used: a wrong name must not look like an empty inbox. */
export async function withInbox<T>(
  { data, databaseUrl, databaseSchema: schema }: InboxPlace,
  work: (inbox: Inbox) => Promise<T>,
): Promise<T> {
  if (databaseUrl === undefined && !existsSync(join(data, SQLITE_FILE))) {
    throw new Error(`no receiver keeps its messages in ${data}: give its --data or --database-url`)
  }
  const storage = await openReceiverStorage(
    databaseUrl === undefined ? { dataDir: data } : { databaseUrl, schema },
  )
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}
