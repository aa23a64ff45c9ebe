// Where saved agents are kept: one JSON file that only its owner can read, since it contains keys. It is written to a
// temporary file and renamed, so that no reader sees half of it; the temporary file also serves as a lock between
// writers.

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { defined } from '../lib/defined.ts'
import { tryJsonObject } from '../lib/try-json.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { UsageError } from './terminal.ts'

export const TRANSPORTS = ['http', 'mcp', 'a2a'] as const
export type TransportName = (typeof TRANSPORTS)[number]

export interface SavedAgent {
  url: string
  /** A bearer key. */
  auth?: string
  /** Path of the private JWK that signs requests. */
  signKey?: string
  transport?: TransportName
}

export type SavedAgents = ReadonlyMap<string, SavedAgent>

const MAX_BYTES = 1_048_576
/** A writer needs milliseconds: an older temporary file was left by a process that was killed. */
const LEFT_BEHIND_MS = 10_000

/** `ADWIRE_AGENTS_FILE`, or else `adwire/agents.json` in the user's config folder. */
export function agentsFile(env: Readonly<Record<string, string | undefined>>): string {
  const { ADWIRE_AGENTS_FILE: file, XDG_CONFIG_HOME: folder, HOME: home } = env
  return file || join(folder || join(home || homedir(), '.config'), 'adwire', 'agents.json')
}

/** None when there is no file. */
export function readAgents(file: string): SavedAgents {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return new Map()
  refuseReadable(file, stat)
  if (stat.size > MAX_BYTES) throw new UsageError(`${file} is larger than ${MAX_BYTES} bytes`)
  const { agents } = tryJsonObject(readFileSync(file, 'utf8')) ?? {}
  if (!isObject(agents)) throw unusable(file)
  return new Map(Object.entries(agents).map(([name, one]) => [name, agentOf(file, one)]))
}

/** Reads, changes and writes as one. */
export function changeAgents(
  file: string,
  change: (agents: Map<string, SavedAgent>) => void,
): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.new`
  const descriptor = openBeside(beside)
  try {
    try {
      const agents = new Map(readAgents(file))
      change(agents)
      const sorted = [...agents].sort(([a], [b]) => (a < b ? -1 : 1))
      writeSync(descriptor, `${JSON.stringify({ agents: Object.fromEntries(sorted) }, null, 2)}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

function openBeside(beside: string): number {
  const stat = statSync(beside, { throwIfNoEntry: false })
  if (stat && Date.now() - stat.mtimeMs > LEFT_BEHIND_MS) rmSync(beside, { force: true })
  try {
    return openSync(beside, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new UsageError('another adwire is changing the saved agents: try again')
    }
    throw new UsageError(`cannot write ${beside}: set ADWIRE_AGENTS_FILE to a file that you own`)
  }
}

/** Windows has no such permissions, and a user's folders there belong to that user. */
function refuseReadable(file: string, { mode, uid }: { mode: number; uid: number }): void {
  if (process.platform === 'win32') return
  if ((mode & 0o077) !== 0) {
    throw new UsageError(
      `${file} contains keys, and other users can read it: run chmod 600 ${file}`,
    )
  }
  if (process.getuid !== undefined && uid !== process.getuid() && process.getuid() !== 0) {
    throw new UsageError(
      `${file} belongs to another user: set ADWIRE_AGENTS_FILE to a file that you own`,
    )
  }
}

function agentOf(file: string, value: unknown): SavedAgent {
  if (!isObject(value) || typeof value.url !== 'string') throw unusable(file)
  const { url, auth, signKey } = value
  return {
    url,
    ...defined({
      auth: typeof auth === 'string' ? auth : undefined,
      signKey: typeof signKey === 'string' ? signKey : undefined,
      transport: TRANSPORTS.find((transport) => transport === value.transport),
    }),
  }
}

function unusable(file: string): UsageError {
  return new UsageError(`${file} is not a file of saved agents: remove it, and add them again`)
}
