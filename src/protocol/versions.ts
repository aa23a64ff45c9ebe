// Which release of the protocol a call speaks (spec 9). A call that says nothing is as the
// specification shows it; one that names 3.x, or uses what only 3.x has, is a 3.x call.

import type { Identifiers } from './identifiers.ts'

/** Releases served, oldest first. */
export const SERVED_RELEASES = ['3.0', '3.1'] as const
export type Release = (typeof SERVED_RELEASES)[number]
export const SERVED_MAJORS = [3] as const

/** Which release of the protocol a call is of. */
export interface Version {
  /** `unversioned`: the required fields of the specification are required; `3.x`: its names and rules. */
  generation: 'unversioned' | '3.x'
  /** What is echoed: the newest release served that is not newer than the one asked for. */
  release: Release
}

export type VersionChoice = { ok: true; version: Version } | { ok: false; message: string }

const RELEASE = /^(\d{1,3})\.(\d{1,3})(?:-[0-9A-Za-z.-]{1,40})?$/

export function chooseVersion(
  request: Readonly<Record<string, unknown>>,
  names: Pick<Identifiers, 'versionMember' | 'majorVersionMember'>,
  newerMembers: readonly string[],
): VersionChoice {
  const asked = request[names.versionMember]
  const major = request[names.majorVersionMember]
  const newest = SERVED_RELEASES[SERVED_RELEASES.length - 1] as Release
  if (asked === undefined && major === undefined) {
    const isNewer = newerMembers.some((member) => request[member] !== undefined)
    return { ok: true, version: { generation: isNewer ? '3.x' : 'unversioned', release: newest } }
  }
  if (major !== undefined && !SERVED_MAJORS.includes(major as 3)) {
    return refuse(`${names.majorVersionMember} ${JSON.stringify(major)} is not served`)
  }
  if (asked === undefined) {
    return { ok: true, version: { generation: '3.x', release: newest } }
  }
  const parts = typeof asked === 'string' ? RELEASE.exec(asked) : null
  if (!parts) {
    return refuse(`${names.versionMember} must be a release such as "${newest}"`)
  }
  if (Number(parts[1]) !== 3) return refuse(`${names.versionMember} ${asked} is not served`)
  const minor = Number(parts[2])
  const served = SERVED_RELEASES.filter((release) => Number(release.split('.')[1]) <= minor)
  return {
    ok: true,
    version: { generation: '3.x', release: served.at(-1) ?? SERVED_RELEASES[0] },
  }
}

function refuse(fault: string): VersionChoice {
  return { ok: false, message: `${fault}: this server speaks ${SERVED_RELEASES.join(' and ')}` }
}
