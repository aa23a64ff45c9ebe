// Starts one real PostgreSQL for the whole run, or uses the one ADWIRE_TEST_DATABASE_URL names.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string
    /** Of the databases that are copied for others, which last as long as the run. */
    databasePrefix: string
  }
}

export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const prefix = `adwire_template_${randomBytes(6).toString('hex')}`
  project.provide('databasePrefix', prefix)
  const given = process.env.ADWIRE_TEST_DATABASE_URL
  if (given) {
    project.provide('databaseUrl', given)
    return () => dropAll(given, prefix)
  }
  const script = fileURLToPath(new URL('./postgres-process.mjs', import.meta.url))
  const postgres = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface({ input: postgres.stdout })
  const [url] = await Promise.race([
    once(lines, 'line'),
    once(postgres, 'exit').then(([code]) => {
      throw new Error(`the PostgreSQL for the tests ended with ${code} before it was ready`)
    }),
  ])
  project.provide('databaseUrl', url as string)
  return async () => {
    const ended = once(postgres, 'exit')
    postgres.stdin.end()
    await ended
  }
}

async function dropAll(url: string, prefix: string): Promise<void> {
  if (!URL.canParse(url)) return
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  )
  for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`)
  await client.end()
}
