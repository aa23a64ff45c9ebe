// Which releases of the protocol a server lists and assumes, as settings (spec 9).

import { isPreRelease } from '../protocol/releases/choose-version.ts'
import { DEFAULT_RELEASE } from '../protocol/releases/release.ts'
import { RELEASES } from '../protocol/releases/releases.ts'
import { list, oneOf } from './setting.ts'

const newest = RELEASES.served.at(-1) ?? ''

export const RELEASE_SETTINGS = {
  majorVersionRelease: oneOf({
    env: 'ADWIRE_MAJOR_VERSION_RELEASE',
    about: 'Release used for calls that specify only a major version.',
    default: DEFAULT_RELEASE,
    placeholder: 'release',
    values: RELEASES.served,
  }),
  listedPreReleases: list({
    env: 'ADWIRE_LISTED_PRE_RELEASES',
    about: `Pre-releases to list in supported_versions, such as ${newest}-beta.5. Every pre-release of a release that is served is served, listed or not.`,
    default: '',
    check: (part) =>
      isPreRelease(part) ? undefined : `must be a pre-release such as ${newest}-beta.5`,
  }),
}
