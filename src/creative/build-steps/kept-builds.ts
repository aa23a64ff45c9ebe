// Builds in progress, cached between two of their steps: limited by size, since pictures are large. What is dropped
// is made again.

import type { Made } from './build-context.ts'
import { type DraftAsset, isVideoWork } from './draft.ts'

export interface KeptBuilds {
  get(taskId: string): Made | undefined
  set(taskId: string, made: Made): void
  delete(taskId: string): void
}

const MAX_BUILDS = 64
const MAX_BYTES = 128_000_000

export function createKeptBuilds(maxBytes = MAX_BYTES): KeptBuilds {
  // In the order in which they were last set.
  const kept = new Map<string, { made: Made; bytes: number }>()
  let bytes = 0

  function drop(taskId: string): void {
    bytes -= kept.get(taskId)?.bytes ?? 0
    kept.delete(taskId)
  }

  return {
    get: (taskId) => kept.get(taskId)?.made,
    set: (taskId, made) => {
      drop(taskId)
      const size = bytesOf(made)
      kept.set(taskId, { made, bytes: size })
      bytes += size
      for (const [oldest] of kept) {
        const isFull = kept.size > MAX_BUILDS || bytes > maxBytes
        if (!isFull || oldest === taskId) break
        drop(oldest)
      }
    },
    delete: drop,
  }
}

function bytesOf({ planRequest, gathered, drafts = [], drawn = [] }: Made): number {
  let size = planRequest.json.length
  if (gathered) {
    const pictures = [...gathered.pictures.values(), ...gathered.drawings.values()]
    for (const { bytes } of pictures) size += bytes.byteLength
    size += gathered.logo?.bytes.byteLength ?? 0
    size += gathered.sound?.byteLength ?? 0
    for (const photo of gathered.photo?.crops.values() ?? []) {
      for (const { dataUri } of Object.values(photo).flat()) size += dataUri.length
    }
  }
  for (const { assets } of drafts) {
    for (const { content } of assets) size += charsOf(content)
  }
  for (const { assets } of drawn) for (const { bytes } of assets) size += bytes.byteLength
  return size
}

/** For content that may be large: a drawing, a film, or a banner. */
function charsOf(content: DraftAsset['content']): number {
  if (isVideoWork(content)) {
    const { grounds, layers } = content.film
    return [...grounds, ...layers].reduce((sum, svg) => sum + svg.length, 0)
  }
  const { from, content: markup } = content as { from?: { svg?: string }; content?: unknown }
  if (from) return from.svg?.length ?? 0
  return 1_000 + (typeof markup === 'string' ? markup.length : 0)
}
