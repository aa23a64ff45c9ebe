// Nothing that does not fit its format is returned (spec 4.2): errors in the caller's input are for the caller to
// fix, and everything else is a bug of ours.

import { ProtocolError } from '../../protocol/errors.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { faultsError, type ManifestFault } from '../manifest-check/fault.ts'
import type { DrawnCreative } from './draw-creative.ts'

/** Throws a ProtocolError for a creative that has these faults. */
export function refuseBuilt(
  { carried }: Pick<DrawnCreative, 'carried'>,
  format: Format,
  faults: readonly ManifestFault[],
): void {
  if (faults.length === 0) return
  // A fault without a pointer is about the manifest as a whole: that it is too costly, or how many more there are.
  const placed = faults.filter(({ pointer }) => pointer !== '')
  const areTheirs = placed.every(({ pointer }) => carried.has(pointer.split('/')[2] ?? ''))
  if (areTheirs) throw faultsError(faults)
  const reported = faults.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ')
  throw new ProtocolError(
    'SERVICE_UNAVAILABLE',
    `the built creative does not match ${format.format_id.id}, which is a server error: ${reported}`,
  )
}
