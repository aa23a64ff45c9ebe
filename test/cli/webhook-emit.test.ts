import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { adwire, lastingFolder } from '../support/cli.ts'

const { path: dir, remove } = lastingFolder()
afterAll(remove)
const REVOKED = {
  rights_id: 'r1',
  brand_id: 'acme',
  reason: 'the licence has ended',
  effective_at: '2026-01-01T00:00:00Z',
}
const LOOPBACK = { ADWIRE_EGRESS_ALLOW: '127.0.0.0/8', ADWIRE_EGRESS_ALLOW_HTTP: 'true' }

let made: string | undefined
/** The one principal of the folder, and with it the database. */
async function principalId(): Promise<string> {
  if (made !== undefined) return made
  const args = ['principals', 'create', 'Buyer', '--json', '--create', '--data', dir]
  const { stdout } = await adwire(args)
  made = JSON.parse(stdout).principal_id as string
  return made
}

function file(name: string, value: unknown): string {
  writeFileSync(join(dir, name), JSON.stringify(value))
  return `@${join(dir, name)}`
}

const webhook = (...args: string[]) => adwire(['webhook', ...args, '--data', dir], LOOPBACK)

async function deliveries(): Promise<Record<string, unknown>[]> {
  const { stdout } = await adwire(['deliveries', 'list', '--json', '--data', dir])
  return JSON.parse(stdout)
}

test('spec 6.4: what is emitted to an address waits in the outbox, with a key of its own', async () => {
  await principalId()
  const body = file('revoked.json', REVOKED)
  const to = ['--to', 'http://127.0.0.1:9/hooks?secret=1']
  const done = await webhook('emit', 'revocation-notification', '--body', body, ...to, '--json')
  expect([done.stderr, done.code]).toEqual(['', 0])
  const [sent] = JSON.parse(done.stdout).deliveries
  expect(sent).toMatchObject({ url: 'http://127.0.0.1:9/hooks' })
  expect(await deliveries()).toMatchObject([
    { state: 'pending', notification_type: 'revocation', idempotency_key: sent.idempotency_key },
  ])
})

test('spec 6.4: a principal is notified where it was subscribed, and no longer afterwards', async () => {
  const principal = await principalId()
  const body = file('list.json', { list_id: 'l1', resolved_at: '2026-01-01T00:00:00Z' })
  const whose = ['property_list_changed', '--principal', principal]
  const config = file('config.json', { url: 'http://127.0.0.1:9/lists', token: 'x'.repeat(20) })
  const subscribed = await webhook('subscribe', ...whose, '--config', config)
  expect(subscribed.stdout).toBe(
    `subscribed ${principal} to property_list_changed at http://127.0.0.1:9/lists\n`,
  )
  expect((await webhook('emit', ...whose, '--body', body)).code).toBe(0)
  expect((await webhook('unsubscribe', ...whose)).code).toBe(0)
  const family = { owner: principal, notification_type: 'property_list_changed' }
  expect((await deliveries())[0]).toMatchObject({ ...family, state: 'cancelled' })
  const none = await webhook('emit', ...whose, '--body', body)
  expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/has no subscription to/)])
})

test('what cannot be sent ends with 2 and says what would be right', async () => {
  await principalId()
  const body = file('revoked.json', REVOKED)
  const to = ['--to', 'http://127.0.0.1:9/hooks']
  const cases: [string[], RegExp][] = [
    [
      ['emit', 'nothing', '--body', body, ...to],
      /no webhook family nothing: use one of collection_/,
    ],
    [['emit', 'artifact', '--body', body, ...to], /\/media_buy_id: .*\/batch_id: /],
    [['emit', 'revocation', '--body', body, '--to', 'http://10.0.0.1/'], /\/url: .*not public/],
  ]
  const ended = await Promise.all(cases.map(([args]) => webhook(...args)))
  for (const [n, [, reported]] of cases.entries()) {
    expect([ended[n]?.code, ended[n]?.stderr]).toEqual([2, expect.stringMatching(reported)])
  }
})
