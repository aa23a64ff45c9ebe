// Starts one real PostgreSQL for the whole run, or uses the one ADWIRE_TEST_DATABASE_URL names.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string
  }
}

export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.ADWIRE_TEST_DATABASE_URL
  if (given) {
    project.provide('databaseUrl', given)
    return undefined
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
