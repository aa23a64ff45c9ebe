import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { openStorage, type Storage } from '../../src/app/open-storage.ts'
import { adwire, lastingFolder } from '../support/cli.ts'
import { failure, newChannel } from '../support/outbox-contract.ts'

const ENDPOINT = 'https://buyer.example/hook'
const data = lastingFolder()
const at = ['--data', data.path]

let storage: Storage
beforeAll(async () => {
  const read = readConfig({ data: data.path }, {})
  if (!read.ok) throw new Error(read.errors.join())
  storage = await openStorage(read.config)
})
afterAll(async () => {
  await storage.close()
  data.remove()
})

/** Deliveries to one endpoint that failed permanently. */
async function lost(owner: string, endpoint: string, count: number): Promise<void> {
  const { transact, channels, outbox } = storage
  await transact(async (tx) => {
    for (let n = 0; n < count; n++) {
      const channel = await channels.put(tx, newChannel({ owner, url: `${endpoint}?n=${n}` }), 100)
      if (channel === 'full') throw new Error('there is no room for the channel')
      const delivery = {
        channel,
        task_id: `task-${n}`,
        operation_id: 'op',
        notification_type: 'completed',
        sequence_number: undefined,
        idempotency_key: randomUUID(),
        body: Buffer.from('{"status":"completed"}'),
      }
      await outbox.add(tx, [delivery], 3_600_000)
    }
  })
  const { claimed } = await transact((tx) =>
    outbox.claim(tx, { limit: 100, leaseMs: 60_000, choose: (due) => due }),
  )
  const next = { state: 'exhausted', reason: 'refused' } as const
  const results = claimed.map((one) => failure(one, { next, says: 'nothing' }))
  await transact((tx) => outbox.record(tx, results))
}

const states = async () =>
  (await storage.outboxOperations.list({ limit: 100 })).map(({ state }) => state)
const recover = (...flags: string[]) => adwire(['deliveries', 'recover', ...flags, ...at])

test('spec 6.4: what an endpoint lost is counted, and sent again by each of its owners', async () => {
  await lost('prn_a', ENDPOINT, 2)
  await lost('prn_b', ENDPOINT, 1)
  await lost('prn_a', `${ENDPOINT}/other`, 1)
  const of = ['--endpoint', ENDPOINT, '--since', '12h']

  const counted = await recover(...of, '--count')
  expect([counted.code, counted.stdout.trim().split('\n').sort()]).toEqual([
    0,
    ['1 of prn_b', '2 of prn_a'],
  ])
  expect(await states()).toEqual(Array(4).fill('exhausted'))

  const one = await recover(...of, '--principal', 'prn_b')
  expect([one.code, one.stdout]).toEqual([
    0,
    `finished: sent 1 of 1 again to ${ENDPOINT} of prn_b\n`,
  ])
  const both = await recover(...of)
  expect(both.stdout.trim().split('\n').sort()).toEqual([
    `finished: sent 0 of 0 again to ${ENDPOINT} of prn_b`,
    `finished: sent 2 of 2 again to ${ENDPOINT} of prn_a`,
  ])
  expect((await states()).sort()).toEqual(['exhausted', 'pending', 'pending', 'pending'])
})

test('one at a time, of an endpoint that there is, since a time that can be read', async () => {
  await lost('prn_c', `${ENDPOINT}/busy`, 1)
  const selection = {
    owner: 'prn_c',
    endpoint: `${ENDPOINT}/busy`,
    which: 'failed' as const,
    since: 0,
  }
  await storage.transact((tx) =>
    storage.recoveries.begin(tx, { ...selection, requested_by: 'Ada' }),
  )
  for (const [flags, fault] of [
    [['--endpoint', `${ENDPOINT}/busy`, '--since', '1h'], 'is already running'],
    [['--endpoint', 'https://nobody.example', '--since', '1h'], 'no deliveries to'],
    [['--endpoint', ENDPOINT, '--since', 'yesterday'], '--since'],
    [['--endpoint', ENDPOINT], '--since'],
  ] as const) {
    const refused = await recover(...flags)
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      2,
      '',
      expect.stringContaining(fault),
    ])
  }
})
