// The entry file of a thread that imports one file of signals: opens the database for it, reports its progress, and
// ends. Started by `open-signal-imports.ts`.

import { parentPort, workerData } from 'node:worker_threads'
import { type FileToImport, type ImportReport, importFile } from '../signals/import-file.ts'
import { openStorage, type StorageConfig } from './open-storage.ts'

export interface ImportStart {
  config: StorageConfig
  file: FileToImport
}

export type FromImport =
  | { rows: number; bytes: number }
  | { report: ImportReport }
  | { error: { name: string; message: string } }

const say = (message: FromImport) => parentPort?.postMessage(message)
const { config, file } = workerData as ImportStart
try {
  const storage = await openStorage(config)
  try {
    say({ report: await importFile(storage, file, say) })
  } finally {
    await storage.close()
  }
} catch (error) {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  say({ error: { name, message } })
}
