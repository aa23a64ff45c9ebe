// Reads manifests that were fetched by the registry or for a build: a large one in the worker pool, a small one in
// this process, since that costs less than the transfer.

import { createCreativeWorkerPool, type OnBehalf } from '../creative/jobs/creative-worker-pool.ts'
import type { WorkKind } from '../creative/jobs/works.ts'
import type { WorkerPool } from '../lib/worker-pool/worker-pool.ts'
import { isTooCostly } from '../lib/worker-pool/worker-pool-error.ts'
import { checkFile, type FileReport, type FileToCheck } from '../protocol/adagents/check-file.ts'
import { packReading } from '../protocol/adagents/pack-reading.ts'
import { readManifest } from '../protocol/read-manifest.ts'
import type { ReadAdagentsFile } from '../registry/crawler/fetch-file.ts'
import type { ReadManifest } from '../registry/verification.ts'

const AT_ONCE_BYTES = 64 * 1_024
const REGISTRY: OnBehalf = { owner: 'the registry' }

/**
 * For the registry. Never rejects: when the worker pool is full, the manifest is read in this process. That is
 * acceptable because few are verified at once, and an unread reference would be taken for a deadly one.
 */
export function registryReader(
  workerPool: WorkerPool<WorkKind>,
  atOnceBytes?: number,
): ReadManifest {
  const read = callersReader(workerPool, REGISTRY, atOnceBytes)
  return async (bytes, question) => {
    try {
      return await read(bytes, question)
    } catch {
      return readManifest(bytes, question)
    }
  }
}

/** For a caller, which gets an error when the worker pool is full. */
export function callersReader(
  workerPool: WorkerPool<WorkKind>,
  by: OnBehalf,
  atOnceBytes = AT_ONCE_BYTES,
): ReadManifest {
  const works = createCreativeWorkerPool(workerPool)
  return async (bytes, question) => {
    if (bytes.byteLength <= atOnceBytes) return readManifest(bytes, question)
    try {
      return await works.run('read_manifest', { bytes, question }, by)
    } catch (error) {
      if (!isTooCostly(error)) throw error
      return { ok: false, reason: `the file cannot be read: ${error.message}`, issues: [] }
    }
  }
}

/** For the crawler: always in the worker pool, unless it is small. Rejects when the pool is full. */
export function adagentsReader(workerPool: WorkerPool<WorkKind>): ReadAdagentsFile {
  const works = createCreativeWorkerPool(workerPool)
  return async (bytes, question) => {
    if (bytes.byteLength <= AT_ONCE_BYTES) return packReading(bytes, question)
    return works.run('read_adagents', { bytes, question }, REGISTRY)
  }
}

/** For someone who writes a file. */
export function fileChecker(
  workerPool: WorkerPool<WorkKind>,
): (file: FileToCheck, owner: string) => Promise<FileReport> {
  const works = createCreativeWorkerPool(workerPool)
  return async (file, owner) => {
    if (file.bytes.byteLength <= AT_ONCE_BYTES) return checkFile(file)
    return works.run('check_file', file, { owner })
  }
}
