// `task-server.mjs` as a process of its own, and what its callers say to it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { createPrincipal } from '../../../src/agent/principals.ts'
import { createPrincipalStore } from '../../../src/storage/stores/principals/principals.ts'
import { type Answer, call } from '../app.ts'
import { type Env, SPARING } from '../cli.ts'
import type { Place } from './place.ts'

export interface TaskServer {
  url: string
  /** Resolves with the code or the signal that it ended by. */
  ended: Promise<number | string>
  kill(signal: NodeJS.Signals): void
  labour(key: string, request: object): Promise<Answer>
  call(path: string, key: string, request?: object): Promise<Answer>
}

const SCRIPT = fileURLToPath(new URL('./task-server.mjs', import.meta.url))

/** Until the test ends. */
export async function startTaskServer(place: Place, env: Env = {}): Promise<TaskServer> {
  const [, data] = place.args
  const flags = { data, egressAllow: '127.0.0.0/8', egressAllowHttp: 'true' }
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(flags)], {
    env: {
      PATH: process.env.PATH ?? '',
      ADWIRE_KEY_SECRET: 'a secret of thirty-two characters',
      ...SPARING,
      ADWIRE_TASK_LEASE_SECONDS: '1',
      ...place.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, faults] = ['', '']
  child.stderr.on('data', (chunk) => {
    faults += String(chunk)
  })
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      said += String(chunk)
      const url = /listens on (\S+)\n/.exec(said)?.[1]
      if (url) resolve(url)
    })
  })
  const url = await Promise.race([ready, ended])
  if (typeof url !== 'string' || !url.startsWith('http')) throw new Error(faults)
  return {
    url,
    ended,
    kill: (signal) => child.kill(signal),
    labour: (key, request) => call(`${url}/v3/labour`, { key, body: request }),
    call: (path, key, request) =>
      call(`${url}${path}`, { key, ...(request ? { body: request } : {}) }),
  }
}

/** A key of a new principal, in the database that a server has made. */
export async function newKey(place: Place): Promise<string> {
  const database = place.database()
  const ports = { transact: database.transact, principals: createPrincipalStore(database) }
  const made = await createPrincipal(ports, { name: 'Caller' })
  if (!made.ok) throw new Error(made.message)
  return made.key
}
