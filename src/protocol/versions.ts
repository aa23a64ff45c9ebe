// Which release of the protocol a call speaks (spec 9). A call that says nothing is as the
// specification shows it; one that names 3.x, or uses what only 3.x has, is a 3.x call.

import type { Identifiers } from './identifiers.ts'

/** Releases known, oldest first. */
export const SERVED_RELEASES = ['3.0', '3.1', '3.2'] as const
export type Release = (typeof SERVED_RELEASES)[number]
export const SERVED_MAJORS = [3] as const

/** Which release of the protocol a call is of. */
export interface Version {
  /** `unversioned`: the required fields of the specification are required; `3.x`: its names and rules. */
  generation: 'unversioned' | '3.x'
  /** What is echoed: the newest release served that is not newer than the one asked for. */
  release: Release
  /** What the call named: a release, or a major version alone, as only callers of 3.0 do. */
  named?: 'release' | 'major'
}

/** Whether the answer's `status` of a buy is the buy's own, as 3.0 has it, and not that of the call. */
export function isOfFirstRelease({ release, named }: Version): boolean {
  return named !== undefined && (release === '3.0' || named === 'major')
}

/** Whether what only 3.2 has may be told: to who names it, or a major version that has it. */
export function isOfThirdRelease({ release, named }: Version): boolean {
  return named !== undefined && release === '3.2'
}

export type VersionChoice = { ok: true; version: Version } | { ok: false; message: string }

const RELEASE =
  /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})(-[0-9A-Za-z](?:[0-9A-Za-z.-]{0,38}[0-9A-Za-z])?)?$/

/** `releases`: those that this server serves, oldest first. */
export function chooseVersion(
  request: Readonly<Record<string, unknown>>,
  names: Pick<Identifiers, 'versionMember' | 'majorVersionMember'>,
  newerMembers: readonly string[],
  releases: readonly Release[] = SERVED_RELEASES,
): VersionChoice {
  const asked = request[names.versionMember]
  const major = request[names.majorVersionMember]
  const newest = releases.at(-1) ?? '3.0'
  const refuse = (fault: string): VersionChoice => ({
    ok: false,
    message: `${fault}: this server speaks ${releases.join(', ')}`,
  })
  if (asked === undefined && major === undefined) {
    const isNewer = newerMembers.some((member) => request[member] !== undefined)
    // Who names no release is answered as before there was 3.2.
    const release = releases.filter((one) => one !== '3.2').at(-1) ?? newest
    return { ok: true, version: { generation: isNewer ? '3.x' : 'unversioned', release } }
  }
  if (major !== undefined && !SERVED_MAJORS.includes(major as 3)) {
    return refuse(`${names.majorVersionMember} ${JSON.stringify(major)} is not served`)
  }
  if (asked === undefined) return chosen(newest, 'major')
  const parts = typeof asked === 'string' ? RELEASE.exec(asked) : null
  if (!parts) {
    return refuse(`${names.versionMember} must be a release such as "${newest}"`)
  }
  if (Number(parts[1]) !== 3) return refuse(`${names.versionMember} ${asked} is not served`)
  if (parts[3] !== undefined) {
    return refuse(`${names.versionMember} ${asked} is a pre-release, and none is served`)
  }
  const minor = Number(parts[2])
  const served = releases.filter((release) => Number(release.split('.')[1]) <= minor).at(-1)
  return served
    ? chosen(served, 'release')
    : refuse(`${names.versionMember} ${asked} is older than what is served`)
}

function chosen(release: Release, named: 'release' | 'major'): VersionChoice {
  return { ok: true, version: { generation: '3.x', release, named } }
}
