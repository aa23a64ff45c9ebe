// Imports files of signals for the console: each in a thread of its own, which is ended when nobody waits for it any
// more; or, run from TypeScript sources, as tests do, on this thread, since a worker needs the compiled files.

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

/** Of a thread: the file, its rows on the way, and the ids of all of them. */
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
    // What was committed stays; what was on its way is undone with the connection.
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
