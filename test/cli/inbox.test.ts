import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openReceiverStorage } from '../../src/receiver/open-receiver-storage.ts'
import type { NewMessage } from '../../src/webhooks/receiver/store.ts'
import { adwire, folder, start } from '../support/cli.ts'
import { emptyPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { LIMITS, newMessage } from '../support/inbox-contract.ts'

type Json = Record<string, unknown>
type Place = Parameters<typeof openReceiverStorage>[0]

/** A receiver's database in which these are dead letters; answers their ids. */
async function withDead(place: Place, messages: readonly Partial<NewMessage>[]) {
  const storage = await openReceiverStorage(place)
  const ids: number[] = []
  for (const over of messages) {
    await storage.inbox.accept([newMessage(over)], LIMITS)
    await storage.transact(async (tx) => {
      const { claimed } = await storage.inbox.claim(tx, { limit: 1, leaseMs: 1_000, worker: 'w' })
      for (const message of claimed) {
        await storage.inbox.finish(tx, message, { state: 'dead', reason: 'it\n broke\u001b[2J' })
        ids.push(message.message_id)
      }
    })
  }
  await storage.close()
  return ids
}

const listed = async (place: readonly string[], ...args: string[]) => {
  const { stdout } = await adwire(['inbox', 'list', ...place, '--json', ...args])
  return JSON.parse(stdout) as Json[]
}

test('dead letters are listed, displayed and discarded', async () => {
  const data = folder()
  const [first, second] = await withDead({ dataDir: data }, [
    { sender: 'https://a.example', task_id: 'task-1', idempotency_key: 'key-1' },
    { sender: 'https://b.example', task_id: 'task-2', idempotency_key: 'key-2' },
  ])
  const at = ['--data', data]
  const table = (await adwire(['inbox', 'list', ...at])).stdout.trimEnd().split('\n')
  expect(table[0]).toMatch(/^id +state +status +attempts +received +task +sender +reason$/)
  expect(table[1]).toMatch(
    new RegExp(`^${second} +dead +working +1 +\\S+Z +task-2 +https://b.example +it broke\\?\\[2J$`),
  )
  expect(await listed(at, '--sender', 'https://a.example')).toMatchObject([{ message_id: first }])
  expect(await listed(at, '--task', 'task-2')).toMatchObject([{ message_id: second }])
  expect(await listed(at, '--state', 'dead', '--limit', '1')).toMatchObject([
    { message_id: second },
  ])
  expect(await listed(at, '--state', 'pending')).toEqual([])
  expect(await listed(at, '--since', '1h')).toHaveLength(2)
  expect(await listed(at, '--since', '2100-01-01T00:00:00Z')).toEqual([])

  const returned = JSON.parse(
    (await adwire(['inbox', 'show', String(first), ...at, '--json'])).stdout,
  ) as Json
  expect(returned).toMatchObject({
    message_id: first,
    state: 'dead',
    reason: 'it\n broke\u001b[2J',
    idempotency_key: 'key-1',
    body: '{"status":"working"}',
    event_at: '2026-01-01T00:00:00.000Z',
  })
  expect((await adwire(['inbox', 'show', String(first), ...at])).stdout).toContain('state: dead\n')

  const dropped = await adwire(['inbox', 'drop', String(first), ...at])
  expect(dropped).toMatchObject({ code: 0, stdout: `dropped ${first}\n` })
  expect(await listed(at, '--state', 'stale')).toMatchObject([{ reason: 'dropped by an operator' }])
  const again = await adwire(['inbox', 'drop', String(first), '77', ...at])
  expect(again.code).toBe(2)
  expect(again.stderr).toContain(`message ${first} is stale, not dead; no message 77`)
})

test('a retried one is handed on by the receiver that runs', async () => {
  const data = folder()
  const out = join(data, 'out')
  const [id, other] = await withDead({ dataDir: data }, [
    { idempotency_key: 'key-1' },
    { idempotency_key: 'key-2' },
  ])
  const server = start(['receive', '--port', '0', '--data', data, '--out', out])
  await eventually(() => expect(server.output.stdout).toContain('listens on'))
  const { code, stdout } = await adwire(['inbox', 'retry', String(id), '--data', data])
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^retried ${id} as \\d+\n$`))
  const lines = () =>
    existsSync(out)
      ? readFileSync(out, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((text) => JSON.parse(text) as Json)
      : []
  await eventually(() => expect(lines()).toMatchObject([{ idempotency_key: 'key-1' }]))
  expect(await listed(['--data', data], '--state', 'dead')).toMatchObject([{ message_id: other }])
})

test('all that the filters leave are retried, on PostgreSQL too', async () => {
  const { url, drop } = await emptyPostgres()
  onTestFinished(drop)
  const [a, b, other] = await withDead({ databaseUrl: url }, [
    { sender: 'https://a.example' },
    { sender: 'https://a.example' },
    { sender: 'https://b.example' },
  ])
  const at = ['--database-url', url]
  const { stdout } = await adwire([
    'inbox',
    'retry',
    '--all',
    '--sender',
    'https://a.example',
    ...at,
  ])
  expect(stdout).toMatch(new RegExp(`^retried ${b} as \\d+\nretried ${a} as \\d+\n$`))
  expect(await listed(at, '--state', 'dead')).toMatchObject([{ message_id: other }])
  expect(await listed(at, '--state', 'pending')).toMatchObject([{ attempts: 0 }, { attempts: 0 }])
  const none = await adwire(['inbox', 'drop', '--all', '--task', 'nothing', ...at])
  expect(none).toMatchObject({ code: 0, stdout: 'no matching dead message\n' })
})

test('a folder of no receiver is not taken for an empty inbox', async () => {
  const data = join(folder(), 'typo')
  const { code, stderr } = await adwire(['inbox', 'list', '--data', data])
  expect(code).toBe(1)
  expect(stderr).toContain(`no receiver keeps its messages in ${data}`)
  expect(existsSync(data)).toBe(false)
})

test.each([
  [['retry'], 'give the ids of messages, or --all for every dead one'],
  [['drop', '7', '--all'], 'give the ids of messages, or --all for every dead one'],
  [
    ['retry', '7', '--task', 't'],
    '--sender, --task and --since require --all, and cannot be combined with ids',
  ],
  [['show', 'x'], 'the id of a message must be a whole number above 0, not x'],
  [
    ['list', '--since', 'lunch'],
    '--since must be a time, such as 90m, 12h, 7d or 2026-01-31T00:00:00Z (got lunch)',
  ],
])('%j ends with 2 and one line', async (args, line) => {
  const { code, stderr } = await adwire(['inbox', ...args])
  expect(code).toBe(2)
  expect(stderr).toContain(`error: ${line}`)
})
