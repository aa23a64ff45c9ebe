// The release used for a call that requires a feature: the call's own, if that has it. A call that names no release
// is raised to the first one that has it.

import type { ReleaseTable, Version } from './release-table.ts'
import { type FeatureName, hasFeature } from './releases.ts'

export interface ServedWith {
  /** Undefined: the call names a release without it. */
  version: Version | undefined
  /** The first release that has it, if one is supported. */
  first: string | undefined
}

export function servedWith(
  feature: FeatureName,
  version: Version,
  releases: ReleaseTable,
): ServedWith {
  const levels = releases.served.map((release) => releases.version(release))
  const first = levels.find((level) => hasFeature(level, feature))
  const raised = version.named === 'release' ? undefined : first
  return {
    version: hasFeature(version, feature) ? version : raised,
    first: first?.release,
  }
}
