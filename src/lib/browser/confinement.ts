// What a browser is kept in besides its own sandbox, found out once at the start: a network namespace with
// nothing in it, and, for a server that runs as root, a user who owns nothing.

import { spawnSync } from 'node:child_process'

export interface Confinement {
  /** The command, with its arguments, that runs the browser without a network; empty where none can. */
  before: readonly string[]
  /** As whom it runs; undefined for as the server does. */
  user: { uid: number; gid: number } | undefined
  /** False only for root on a system without user namespaces: Chromium's own sandbox cannot work there. */
  hasSandbox: boolean
}

const UNSHARE = ['unshare', '--user', '--map-current-user', '--net', '--'] as const
/** Everywhere the user and group that nothing belongs to. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const PROBE_MS = 2_000

export interface ConfinementPorts {
  isRoot: boolean
  searchPath: string
  /** Whether a command ends well, run as this user. Default: it is run. */
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
