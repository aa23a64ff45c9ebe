// Which release of the protocol a call uses (spec 9). A call that names none has the form in the specification; one
// that names 3.x, or uses a feature that only 3.x has, is a 3.x call.

import type { Identifiers } from '../identifiers.ts'
import { atLeast } from './compare.ts'
import type { Members } from './release.ts'
import type { ReleaseTable, Version } from './release-table.ts'
import { RELEASES } from './releases.ts'
import { unnamed } from './unnamed.ts'
import { unversioned } from './unversioned.ts'

export type VersionChoice = { ok: true; version: Version } | { ok: false; message: string }

type Names = Pick<Identifiers, 'versionMember' | 'majorVersionMember'>

const RELEASE =
  /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})(-[0-9A-Za-z](?:[0-9A-Za-z.-]{0,38}[0-9A-Za-z])?)?$/

/** Whether it is the name of a pre-release, as used in calls. */
export function isPreRelease(name: string): boolean {
  return RELEASE.exec(name)?.[3] !== undefined
}

export interface ChooseVersionOptions {
  /** Members that only 3.x has: a request with one of them is a 3.x call. Default none. */
  newerMembers?: readonly string[]
  /** The releases that this server supports. Default: all. */
  releases?: ReleaseTable
}

export function chooseVersion(
  request: Members,
  names: Names,
  { newerMembers = [], releases = RELEASES }: ChooseVersionOptions = {},
): VersionChoice {
  if (!namesVersion(request, names)) {
    const isNewer = newerMembers.some((member) => request[member] !== undefined)
    return { ok: true, version: releases.version(isNewer ? unnamed.name : unversioned.name) }
  }
  const { [names.versionMember]: requested, [names.majorVersionMember]: major } = request
  const refuse = (fault: string): VersionChoice => ({
    ok: false,
    message: `${fault}: this server supports ${releases.supported.join(', ')}`,
  })
  if (major !== undefined && !releases.majors.includes(major as number)) {
    return refuse(`${names.majorVersionMember} ${JSON.stringify(major)} is not supported`)
  }
  if (requested === undefined) return { ok: true, version: releases.majorOnly() }
  const parts = typeof requested === 'string' ? RELEASE.exec(requested) : null
  if (!parts) {
    const newest = releases.served.at(-1)
    return refuse(`${names.versionMember} must be a release such as "${newest}", without a patch`)
  }
  const [name, ofMajor, ofMinor, preRelease] = parts
  if (!releases.majors.includes(Number(ofMajor))) {
    return refuse(`${names.versionMember} ${name} is not supported`)
  }
  const release = `${ofMajor}.${ofMinor}`
  if (preRelease !== undefined) {
    return releases.served.includes(release)
      ? { ok: true, version: releases.version(release, { named: 'release', release: name }) }
      : refuse(`${names.versionMember} ${name} is a pre-release of an unsupported release`)
  }
  const served = releases.served.filter((one) => atLeast(release, one)).at(-1)
  return served === undefined
    ? refuse(`${names.versionMember} ${name} is older than the supported releases`)
    : { ok: true, version: releases.version(served, { named: 'release' }) }
}

/** Whether a request names a release or a major version. */
export function namesVersion(
  request: Members,
  { versionMember, majorVersionMember }: Names,
): boolean {
  return request[versionMember] !== undefined || request[majorVersionMember] !== undefined
}
