import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Principal } from '../../src/agent/principals.ts'
import { callAs } from '../../src/app/call-as.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'
import { testAgent } from '../support/test-agent.ts'

let opened: TestDatabase
beforeAll(async () => {
  opened = await testDatabase('sqlite')
})
afterAll(() => opened.drop())

const principal: Principal = {
  principal_id: 'prn_buyer',
  name: 'Buyer',
  scopes: ['tasks'],
  is_demo: false,
  is_sandbox: false,
  created_at: '2026-01-01T00:00:00Z',
  revoked_at: null,
}

test('a call for a principal is that principal’s, and counts for its rate', async () => {
  const agent = testAgent({ database: opened.database, callsPerMinute: 1 })
  const call = callAs(agent, () => 'https://seller.example/path')
  const { signal } = new AbortController()
  const whoami = { principal, task: 'whoami', arguments: {}, signal }
  expect(await call(whoami)).toMatchObject({
    ok: true,
    body: { principal_id: 'prn_buyer', called_on: 'https://seller.example' },
  })
  expect(await call(whoami)).toMatchObject({ ok: false, code: 'RATE_LIMITED' })
})
