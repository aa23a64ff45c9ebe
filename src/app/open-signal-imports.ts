// Imports files of signals for the console. Each import runs in its own thread, which is stopped when no one waits
// for it any more. When run from TypeScript sources, as tests do, it runs on this thread, since a worker needs the
// compiled files.

import { Worker } from 'node:worker_threads'
import { defined } from '../lib/defined.ts'
import {
  type FileToImport,
  type ImportProgress,
  type ImportReport,
  importFile,
} from '../signals/import-file.ts'
import type { FromImport, ImportStart } from './import-worker.ts'
import type { Storage, StorageConfig } from './open-storage.ts'

export interface SignalImportsOptions {
  config: StorageConfig
  storage: Pick<Storage, 'signals' | 'transact'>
  /** Whether worker threads do the work. Default: where the files are compiled. */
  isThreaded?: boolean
}

export type RunImport = (
  file: FileToImport,
  onProgress: (progress: ImportProgress) => void,
  abort: AbortSignal,
) => Promise<ImportReport>

/** The memory of a thread: for the file, the rows being imported, and all their ids. */
const MEMORY_MB = 512
const CONNECTIONS = 2

export function openSignalImports(options: SignalImportsOptions): RunImport {
  const { config, storage, isThreaded = import.meta.url.endsWith('.js') } = options
  if (!isThreaded) {
    return (file, onProgress, abort) =>
      importFile(storage, file, (progress) => {
        abort.throwIfAborted()
        onProgress(progress)
      })
  }
  const { data, databaseUrl, databaseSchema, databasePool } = config
  const own = {
    data,
    databaseUrl,
    ...defined({ databaseSchema }),
    databasePool: Math.min(databasePool, CONNECTIONS),
  }
  return (file, onProgress, abort) => inThread({ config: own, file }, onProgress, abort)
}

function inThread(
  start: ImportStart,
  onProgress: (progress: ImportProgress) => void,
  abort: AbortSignal,
): Promise<ImportReport> {
  return new Promise((resolve, reject) => {
    const { buffer } = start.file.bytes
    const worker = new Worker(new URL('./import-worker.js', import.meta.url), {
      workerData: start,
      transferList: buffer instanceof ArrayBuffer ? [buffer] : [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    // What was committed stays; an open transaction is rolled back with the connection.
    const stop = () => {
      reject(abort.reason)
      void worker.terminate()
    }
    abort.addEventListener('abort', stop, { once: true })
    worker.on('message', (message: FromImport) => {
      if ('report' in message) resolve(message.report)
      else if ('error' in message) {
        reject(Object.assign(new Error(message.error.message), { name: message.error.name }))
      } else onProgress(message)
    })
    worker.once('error', reject)
    worker.once('exit', (code) => {
      abort.removeEventListener('abort', stop)
      reject(new Error(`the thread that imports ended with ${code} before it was done`))
    })
  })
}
