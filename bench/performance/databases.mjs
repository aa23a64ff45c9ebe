// A fresh database for each way of a measurement: a folder, or a database of one PostgreSQL that writes to its disk.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { treeCpuMs } from './processor.mjs'

const POSTGRES = fileURLToPath(new URL('../../test/support/postgres-process.mjs', import.meta.url))

/** @param {'SQLite' | 'PostgreSQL'} name */
export function openDatabases(name) {
  return name === 'SQLite' ? folders() : onPostgres()
}

function folders() {
  const made = []
  return {
    fresh: async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
      made.push(dataDir)
      return { dataDir }
    },
    cpuMs: () => 0,
    close: async () => {
      for (const folder of made) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function onPostgres() {
  const child = spawn(process.execPath, [POSTGRES, '--durable'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const url = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('PostgreSQL did not start')))
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
  })
  child.removeAllListeners('exit')
  let count = 0
  return {
    fresh: async () => {
      const name = `bench_${++count}`
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`CREATE DATABASE ${name}`)
      await client.end()
      return { databaseUrl: url.replace(/\/postgres$/, `/${name}`) }
    },
    cpuMs: () => treeCpuMs(child.pid),
    close: async () => {
      child.stdin.end()
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

/** The flags of the command line for a database. */
export function flagsOf({ dataDir, databaseUrl }) {
  return databaseUrl ? ['--database-url', databaseUrl] : ['--data', dataDir]
}
