// The memory used by a process and all its descendants, on Linux. Memory shared from the program's own files is not
// counted, since it would be counted again for each process.

import { readdirSync, readFileSync } from 'node:fs'

/** Undefined where the system does not report it. */
export type MeasureTree = () => number | undefined

/** Minimum interval between reads of the process tree: they cost more than reading the memory of each process. */
const LOOK_AGAIN_MS = 250
const MAX_PROCESSES = 256

export function measureTree(root: number): MeasureTree {
  let pids: number[] = []
  let lookedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - lookedAt >= LOOK_AGAIN_MS) {
      pids = treeOf(root)
      lookedAt = performance.now()
    }
    let bytes: number | undefined
    for (const pid of pids) {
      const status = read(`/proc/${pid}/status`)
      if (status === undefined) continue
      bytes = (bytes ?? 0) + 1_024 * (amountOf(status, 'RssAnon:') + amountOf(status, 'RssShmem:'))
    }
    return bytes
  }
}

function treeOf(root: number): number[] {
  const pids = [root]
  // The list grows while it is traversed. A child belongs to the thread that started it.
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      const children = read(`/proc/${pid}/task/${thread}/children`)?.trim() ?? ''
      if (children !== '') pids.push(...children.split(' ').map(Number))
    }
    if (pids.length > MAX_PROCESSES) break
  }
  return pids
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function amountOf(status: string, name: string): number {
  const at = status.indexOf(name)
  return at < 0 ? 0 : Number.parseInt(status.slice(at + name.length), 10)
}

/** Read synchronously: it is not a file on a disk. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
