// Whether this instance is ready for requests: each failing check, as a readable message. Changes are logged, so that
// the log also records how long each one lasted.

import type { Parts } from './parts.ts'

export function createReadiness({
  storage,
  workerPool,
  stopping,
  log,
}: Pick<Parts, 'storage' | 'workerPool' | 'stopping' | 'log'>): () => Promise<readonly string[]> {
  let before = ''
  return async () => {
    if (stopping.aborted) return ['the server is stopping']
    const failed = [...(await storage.database.faults())]
    if (workerPool.fault !== undefined) failed.push('no process of the worker pool can be started')
    const now = failed.join('; ')
    if (now !== before) {
      if (now === '') log.info('ready again')
      else log.warn({ failed_checks: failed }, 'not ready')
    }
    before = now
    return failed
  }
}
