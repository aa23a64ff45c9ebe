// How a browser is isolated in addition to its own sandbox, detected once at startup: an empty network namespace and,
// for a server that runs as root, a user who owns nothing.

import { spawnSync } from 'node:child_process'

export interface Confinement {
  /** The command, with its arguments, that runs the browser without a network; empty if none is available. */
  before: readonly string[]
  /** The user it runs as; undefined for the server's own user. */
  user: { uid: number; gid: number } | undefined
  /** False only for root on a system without user namespaces: Chromium's own sandbox cannot work there. */
  hasSandbox: boolean
}

const UNSHARE = ['unshare', '--user', '--map-current-user', '--net', '--'] as const
/** The user and group ids that own nothing on any system. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const PROBE_MS = 2_000

export interface ConfinementPorts {
  isRoot: boolean
  searchPath: string
  /** Whether a command succeeds when run as this user. Default: it is executed. */
  works?: (command: readonly string[], user: Confinement['user']) => boolean
}

export function findConfinement({ isRoot, searchPath, works }: ConfinementPorts): Confinement {
  const user = isRoot ? NOBODY : undefined
  const run = works ?? ((command, as) => endsWell(command, as, searchPath))
  const hasNamespaces = run([...UNSHARE, 'true'], user)
  return {
    before: hasNamespaces ? UNSHARE : [],
    user,
    hasSandbox: hasNamespaces || !isRoot,
  }
}

function endsWell(
  [program = '', ...args]: readonly string[],
  user: Confinement['user'],
  searchPath: string,
): boolean {
  const options = { ...user, env: { PATH: searchPath }, cwd: '/', timeout: PROBE_MS }
  return spawnSync(program, args, { ...options, stdio: 'ignore' }).status === 0
}
