// PostgreSQL's own backup tools, run as child processes. The password is passed in the environment, since every user
// of the machine can see the arguments of a process.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { withoutPassword } from './hosts.ts'

export interface DumpPlace {
  url: string
  schema: string
  /** The environment of this process: where the tools are, and libpq's other variables. */
  environment: Readonly<Record<string, string | undefined>>
}

/** How much of a tool's standard error is repeated in the error. */
const MAX_STDERR = 2_000

/** `pg_dump` of only our schema, in its own compressed format; other sessions are not blocked. */
export async function dumpSchema(place: DumpPlace, file: string): Promise<void> {
  const flags = ['--format=custom', '--no-owner', `--schema=${place.schema}`, `--file=${file}`]
  await runDumpTool('pg_dump', flags, place)
}

/** In one transaction: everything or nothing. */
export async function restoreSchema(place: DumpPlace, file: string): Promise<void> {
  const flags = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  await runDumpTool('pg_restore', [...flags, file], place)
}

/** @internal */
export async function runDumpTool(
  tool: string,
  args: readonly string[],
  { url, environment }: DumpPlace,
): Promise<void> {
  const place = withoutPassword(url)
  const { password } = place
  const env = password === '' ? { ...environment } : { ...environment, PGPASSWORD: password }
  const child = spawn(tool, [...args, `--dbname=${place.url}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr = `${stderr}${String(chunk)}`.slice(-MAX_STDERR)
  })
  const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(
      `${tool} was not found: install the PostgreSQL client tools of the server's version or newer, and put them in PATH`,
    )
  })
  if (code !== 0) throw new Error(`${tool} failed (exit code ${code}): ${stderr.trim()}`)
}
