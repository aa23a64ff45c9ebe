// Nothing is returned that does not fit its format (spec 4.2): what came with the request is the
// caller's to mend, and everything else is a fault of ours.

import { ProtocolError } from '../../protocol/errors.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { checkManifest } from '../manifest-check/check-manifest.ts'
import { faultsError } from '../manifest-check/fault.ts'
import type { DrawnCreative } from './draw-creative.ts'

/** Throws a ProtocolError for a creative that does not fit. */
export function checkBuilt({ manifest, carried }: DrawnCreative, format: Format): void {
  const faults = checkManifest(manifest, format)
  if (faults.length === 0) return
  const areTheirs = faults.every(({ pointer }) => carried.has(pointer.split('/')[2] ?? ''))
  if (areTheirs) throw faultsError(faults)
  const told = faults.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ')
  throw new ProtocolError(
    'SERVICE_UNAVAILABLE',
    `the creative that was built does not fit ${format.format_id.id}, which is a fault of this server: ${told}`,
  )
}
