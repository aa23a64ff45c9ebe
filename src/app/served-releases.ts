// Which releases of the protocol a server serves, by its settings (spec 5, 9).

import type { Release } from '../protocol/releases/release.ts'
import { createReleaseTable, type ReleaseTable } from '../protocol/releases/release-table.ts'
import { KNOWN_RELEASES } from '../protocol/releases/releases.ts'
import { coversEveryBody, type RequestRelease } from '../signing/profile.ts'

interface ReleaseConfig {
  requestSigningProfile: RequestRelease
  listedPreReleases: readonly string[]
  majorVersionRelease: string
}

/**
 * spec 5: a server that serves a release with strict signatures accepts no others. A server that accepts the older
 * signatures therefore serves only the releases before it.
 */
export function servedReleases(
  { requestSigningProfile, listedPreReleases: pins, majorVersionRelease: majorOnly }: ReleaseConfig,
  known: readonly Release[] = KNOWN_RELEASES,
): ReleaseTable {
  const strict = known.findIndex(({ adds }) => Object.hasOwn(adds, 'strict_signatures'))
  const served = coversEveryBody(requestSigningProfile) ? known : known.slice(0, strict)
  return createReleaseTable(served, { pins, majorOnly })
}
