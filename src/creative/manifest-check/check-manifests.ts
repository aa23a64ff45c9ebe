// Checks manifests in the worker pool (spec 7.1), one after another: the errors of each are reported before the next
// is started, so that one that is too costly is identified by its index and does not affect the others.

import { isTooCostly } from '../../lib/worker-pool/worker-pool-error.ts'
import type { CreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import { type CreativeWorkerPool, type OnBehalf, wasKilled } from '../jobs/creative-worker-pool.ts'
import { costOf } from '../jobs/too-costly.ts'
import { checkManifest } from './check-manifest.ts'
import type { CheckItem, CheckRequest } from './check-request.ts'
import type { ManifestFault } from './fault.ts'

/** In the worker pool: reports the errors of each, in order. */
export function checkManifests(
  { manifests, items }: CheckRequest,
  report: (faults: ManifestFault[]) => void,
): undefined {
  for (const { manifest, format, isBrandKnown, isSameFormat } of items) {
    const read = JSON.parse(manifests[manifest] as string) as CreativeManifest
    report(checkManifest(read, format, { isBrandKnown, isSameFormat: () => isSameFormat }))
  }
}

/** For the tasks: the errors of each manifest, in order. */
export async function faultsOf(
  workerPool: CreativeWorkerPool,
  items: readonly CheckItem[],
  by: OnBehalf,
): Promise<ManifestFault[][]> {
  const found: ManifestFault[][] = []
  while (found.length < items.length) {
    const before = found.length
    const request = requestOf(items.slice(before))
    try {
      const onPart = (faults: ManifestFault[]) => found.push(faults)
      await workerPool.run('check_manifests', request, { ...by, onPart })
    } catch (error) {
      // Its process was killed after some were checked: another process checks the rest.
      if (wasKilled(error) && found.length > before) continue
      if (!isTooCostly(error)) throw error
      const message = `The manifest cannot be checked: ${costOf(error)}.`
      found.push([{ rule: 'cost', pointer: '', message }])
    }
  }
  return found
}

function requestOf(items: readonly CheckItem[]): CheckRequest {
  const places = new Map<string, number>()
  const requested = items.map(({ json, ...others }) => {
    const manifest = places.get(json) ?? places.size
    places.set(json, manifest)
    return { ...others, manifest }
  })
  return { manifests: [...places.keys()], items: requested }
}
