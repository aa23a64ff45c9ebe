// Environment variables that look like settings but are not, logged at startup: otherwise a typo in a name would
// silently leave the default in force.

import { nearNames } from '../lib/near-names.ts'
import { RECEIVE_SETTINGS } from './receive-settings.ts'
import { SETTINGS } from './settings.ts'

/** Read by `adwire call` and `adwire mcp`. */
const OF_COMMANDS = ['ADWIRE_CALL_KEY', 'ADWIRE_AGENTS_FILE']
/** Kubernetes sets these in every pod if a service is called adwire. */
const OF_A_CLUSTER = /^ADWIRE_(?:SERVICE|PORT)_/

/** One sentence per variable, without its value. */
export function unknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const settings = Object.values({ ...SETTINGS, ...RECEIVE_SETTINGS })
  const known = [...settings.map(({ env }) => env), ...OF_COMMANDS]
  return Object.keys(environment)
    .filter((name) => name.startsWith('ADWIRE_') && !known.includes(name))
    .filter((name) => !OF_A_CLUSTER.test(name))
    .map((name) => {
      const [near] = nearNames(name, known)
      const hint = near === undefined ? 'adwire serve --help lists them' : `perhaps ${near}`
      return `${name} is no setting and is not read: ${hint}`
    })
}
