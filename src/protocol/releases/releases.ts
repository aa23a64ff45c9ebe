// The releases that this server knows, oldest first. To add one, add a file and a line here.

import { atLeast } from './compare.ts'
import { createReleaseTable, type Version } from './release-table.ts'
import { unnamed } from './unnamed.ts'
import { unversioned } from './unversioned.ts'
import { v3_0 } from './v3_0.ts'
import { v3_1 } from './v3_1.ts'
import { v3_2 } from './v3_2.ts'

export const KNOWN_RELEASES = [unversioned, unnamed, v3_0, v3_1, v3_2] as const

type Known = (typeof KNOWN_RELEASES)[number]
/** The features that callers get in some releases only; docs/versions.md lists them. */
export type FeatureName = Known extends infer One
  ? One extends { adds: infer Adds }
    ? keyof Adds & string
    : never
  : never

/** All known releases, with the default settings. */
export const RELEASES = createReleaseTable(KNOWN_RELEASES)

/** Whether a caller gets it. */
export function hasFeature({ features }: Version, name: FeatureName): boolean {
  return features.has(name)
}

/** Whether a release named by another agent has it: an unknown one counts as the newest known release before it. */
export function releaseHas(release: string, name: FeatureName): boolean {
  const known = RELEASES.served.filter((one) => atLeast(release, one)).at(-1)
  return known !== undefined && hasFeature(RELEASES.version(known), name)
}
