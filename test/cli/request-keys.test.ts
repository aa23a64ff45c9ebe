import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call } from '../support/app.ts'
import { adwire, folder, serve } from '../support/cli.ts'
import { requestKey, signedCall } from '../support/signed-caller.ts'

async function json<T>(args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await adwire([...args, '--json'])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as T
}

function file(content: unknown): string {
  const path = join(folder(), 'file.json')
  writeFileSync(path, JSON.stringify(content))
  return path
}

test('spec 5: keys for signed requests are stored, listed and removed, and a running server is notified at once', async () => {
  const at = ['--data', folder()]
  const { url } = await serve(at)
  const { principal_id: id } = await json<{ principal_id: string }>([
    'principals',
    'create',
    'Buyer',
    ...at,
  ])
  const pair = requestKey('buyer-1')
  const add = (...args: string[]) => ['principals', 'keys', 'add', id, ...args, ...at]
  const added = await json<{ key_id: string }>(add('--jwk', file(pair.publicJwk)))
  expect(added).toMatchObject({
    key_id: expect.stringMatching(/^rqk_/),
    kind: 'jwk',
    key: 'buyer-1',
  })
  const status = async () => (await signedCall(pair, `${url}/v3/list_tasks`, { body: {} })).status
  expect(await status()).toBe(200)

  const pin = file({ keys: [requestKey('pinned').publicJwk] })
  const reported = await adwire(add('--agent-url', 'https://buyer.example/mcp', '--pin', pin))
  expect(reported).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('https://buyer.example/mcp'),
  })
  const listed = await json<object[]>(['principals', 'keys', 'list', id, ...at])
  expect(listed).toMatchObject([
    { hint: expect.stringMatching(/^adw_/), state: 'good' },
    { key_id: added.key_id, kind: 'jwk', key: 'buyer-1', pin: [] },
    { kind: 'agent_url', key: 'https://buyer.example/mcp', pin: ['pinned'] },
  ])
  const table = (await adwire(['principals', 'keys', 'list', id, ...at])).stdout
  expect(table).toMatch(/signs requests with.*buyer-1.*https:\/\/buyer\.example\/mcp +pinned/s)

  const removed = await adwire(['principals', 'keys', 'remove', added.key_id, ...at])
  expect(removed).toMatchObject({ code: 0, stdout: `removed ${added.key_id}\n` })
  expect(await status()).toBe(401)
  expect((await call(`${url}/v3/list_tasks`, { body: {} })).status).toBe(401)
})

test('what cannot be put on file is refused with what would be right', async () => {
  const at = ['--create', '--data', folder()]
  const { principal_id: id } = await json<{ principal_id: string }>([
    'principals',
    'create',
    'Buyer',
    ...at,
  ])
  const add = (...args: string[]) => adwire(['principals', 'keys', 'add', id, ...args, ...at])
  const { publicJwk, privateJwk } = requestKey('x')
  const faults: [string[], string][] = [
    [['--jwk', 'nowhere.json'], 'cannot read nowhere.json'],
    [['--jwk', file(privateJwk)], 'this is a private key'],
    [['--jwk', file(publicJwk), '--agent-url', 'https://a.example'], 'cannot be used with'],
    [['--jwk', file(publicJwk), '--expires', '1h'], 'cannot be used with'],
    [['--jwks-url', 'keys'], 'must be an http or https URL'],
    [['--pin', file({ keys: [publicJwk] })], '--pin requires'],
    [['--jwks-url', 'https://a.example', '--pin', file({ keys: [] })], 'contains no key'],
  ]
  for (const [args, reported] of faults) {
    const { code, stderr } = await add(...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(reported)])
  }
  const unknown = await adwire(['principals', 'keys', 'remove', 'rqk_none', ...at])
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('rqk_none') })
  const plain = await adwire(['orgs', 'keys', 'add', 'org', '--jwk', 'x', ...at])
  expect(plain.stderr).toContain("unknown option '--jwk'")
})
