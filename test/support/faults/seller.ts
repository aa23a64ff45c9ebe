// The built server as a seller runs it, and the calls of a buyer who wants webhooks.

import { randomUUID } from 'node:crypto'
import { call } from '../app.ts'
import { type Env, type Server, serve } from '../cli.ts'
import type { Place } from './place.ts'

export interface Seller extends Server {
  /** Calls simulate_task; the answer, or undefined when the server did not live to give one. */
  simulate(wanted: Simulation): Promise<Answered | undefined>
  call(path: string, body: object): Promise<Record<string, unknown>>
  /** Ends it at once and waits for the end. */
  kill(): Promise<void>
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>
}

interface Simulation {
  steps?: number
  duration_seconds?: number
  /** Where its webhooks go; without it the answer is waited for. */
  webhook?: string
}

export interface Answered {
  status: number
  task_id: string | undefined
  steps: number
}

/** The shortest leases that the server takes, so that recovery does not take long. */
export const SHORT_LEASE: Env = {
  ADWIRE_WEBHOOK_TIMEOUT_SECONDS: '1',
  ADWIRE_LEASE_SECONDS: '8',
  ADWIRE_TASK_LEASE_SECONDS: '8',
}
const KEY = 'adw_fault-tests-0123456789'

export async function startSeller(place: Place, env: Env = SHORT_LEASE): Promise<Seller> {
  const server = await serve(['--demo', ...place.args], {
    ADWIRE_DEMO_KEY: KEY,
    ADWIRE_KEY_SECRET: 'a secret of thirty-two characters',
    // A warning is a fault: what the server writes here is looked at.
    ADWIRE_LOG_LEVEL: 'warn',
    ADWIRE_TASKS_PER_MINUTE: '1000000',
    ...place.env,
    ...env,
  })
  const post = (path: string, body: object) => call(`${server.url}${path}`, { key: KEY, body })
  return {
    ...server,
    simulate: async ({ steps = 1, duration_seconds = 0, webhook }) => {
      const push = webhook === undefined ? {} : { push_notification_config: { url: webhook } }
      const request = { steps, duration_seconds, idempotency_key: randomUUID(), ...push }
      const answer = await post('/v3/simulate_task', request).catch(() => undefined)
      if (!answer) return undefined
      const { task_id } = answer.body as { task_id?: string }
      return { status: answer.status, task_id, steps }
    },
    call: async (path, body) => (await post(path, body)).body,
    kill: async () => {
      server.child.kill('SIGKILL')
      await server.ended
    },
    stop: async () => {
      server.child.kill('SIGTERM')
      return (await server.ended).code
    },
  }
}
