// Manifests that the registry fetches: a large one is read in the workshop, a small one at once, since
// what it takes is less than the way there and back.

import { createCreativeWorkshop } from '../creative/jobs/creative-workshop.ts'
import type { Kind } from '../creative/jobs/works.ts'
import type { Workshop } from '../lib/workshop/workshop.ts'
import { isTooCostly } from '../lib/workshop/workshop-error.ts'
import { readManifest } from '../protocol/read-manifest.ts'
import type { ReadManifest } from '../registry/verify-reference.ts'

const AT_ONCE_BYTES = 64 * 1_024
const OWNER = 'the registry'

/** Never rejects: where the workshop has no room it is read here, which its limits make bearable. */
export function manifestReader(
  workshop: Workshop<Kind>,
  atOnceBytes = AT_ONCE_BYTES,
): ReadManifest {
  const works = createCreativeWorkshop(workshop)
  return async (bytes, question) => {
    if (bytes.byteLength <= atOnceBytes) return readManifest(bytes, question)
    try {
      return await works.run('read_manifest', { bytes, question }, { owner: OWNER })
    } catch (error) {
      if (!isTooCostly(error)) return readManifest(bytes, question)
      return { ok: false, reason: `the file cannot be read: ${error.message}`, issues: [] }
    }
  }
}
