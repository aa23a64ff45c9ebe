import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examineAgent } from '../../src/doctor/examine-agent.ts'
import type { Report } from '../../src/doctor/report.ts'
import { type BrokenAgent, type Fault, startBrokenAgent } from '../support/broken-agents.ts'
import {
  ERROR_FAULTS,
  KEY_FAULTS,
  type PlantedFault,
  WEBHOOK_FAULTS,
  WIRE_FAULTS,
} from './faults.ts'

/** An examination mostly waits, so several continue at once: each on a server of its own. */
const SERVERS = 3
const agents: BrokenAgent[] = []
const free: BrokenAgent[] = []
const waiting: ((agent: BrokenAgent) => void)[] = []

beforeAll(async () => {
  for (let n = 0; n < SERVERS; n++) agents.push(await startBrokenAgent())
  free.push(...agents)
})
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.stop()))
})

async function examine(fault: Fault, webhookWaitMs = 60_000): Promise<Report> {
  const agent = free.pop() ?? (await new Promise<BrokenAgent>((resolve) => waiting.push(resolve)))
  agent.plant(fault)
  const { url: agentUrl, key, otherKey } = agent
  const options = { agentUrl, key, otherKey, protocolName: 'proto', mayWrite: true, webhookWaitMs }
  try {
    return await examineAgent(options)
  } finally {
    const next = waiting.shift()
    if (next) next(agent)
    else free.push(agent)
  }
}

const TIMEOUT_MS = 300_000

test('behind the proxy nothing is found while no fault is planted, and hardly anything is skipped', async () => {
  const { findings, checks, exit_code } = await examine({})
  expect(findings).toEqual([])
  expect(exit_code).toBe(0)
  const skipped = checks.filter(({ state }) => state === 'skipped').map(({ id }) => id)
  expect(skipped).toEqual(['tls', 'rate-limit'])
})

const AREAS: [string, readonly PlantedFault[]][] = [
  ['its transports', WIRE_FAULTS],
  ['its keys and callers', KEY_FAULTS],
  ['its errors', ERROR_FAULTS],
  ['its webhooks', WEBHOOK_FAULTS],
]

describe.concurrent.each(AREAS)('of an agent with a fault in %s', (_, faults) => {
  test.each(faults.map((fault) => [fault.what, fault.check, fault] as const))(
    '%s: that is found by %s, and nothing else is',
    async (_what, check, { fault, waitMs }) => {
      const { findings, exit_code } = await examine(fault(), waitMs)
      const found = [...new Set(findings.map((finding) => finding.check))]
      expect(found, JSON.stringify(findings)).toEqual([check])
      expect(exit_code).toBe(1)
      for (const { what, why, fix } of findings) {
        for (const text of [what, why, fix]) expect(text.length).toBeGreaterThan(10)
      }
    },
    TIMEOUT_MS,
  )
})
