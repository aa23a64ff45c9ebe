import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adwire, folder, serve } from '../support/cli.ts'
import { scriptedAgent } from '../support/scripted-agent.ts'
import { requestKey } from '../support/signed-caller.ts'

function file(content: unknown): string {
  const path = join(folder(), 'key.jwk')
  writeFileSync(path, JSON.stringify(content))
  return path
}

test('spec 5: a principal calls with --sign-key alone, over every transport, and a wrong key is exit 4', async () => {
  const at = ['--data', folder()]
  const { url } = await serve(at)
  const created = await adwire(['principals', 'create', 'Buyer', '--json', ...at])
  const { principal_id: id } = JSON.parse(created.stdout) as { principal_id: string }
  const pair = requestKey('buyer-1')
  await adwire(['principals', 'keys', 'add', id, '--jwk', file(pair.publicJwk), ...at])
  const env = { XDG_CONFIG_HOME: folder() }
  const key = file(pair.privateJwk)
  const list = (...args: string[]) => adwire(['call', ...args, 'list_tasks', '{}', '--json'], env)

  for (const transport of ['http', 'mcp', 'a2a']) {
    const { code, stdout, stderr } = await list('--transport', transport, '--sign-key', key, url)
    expect([transport, code, stderr]).toEqual([transport, 0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', tasks: [] })
  }
  expect((await list(url)).code).toBe(4)

  for (const wrong of [requestKey('buyer-1'), requestKey('other')]) {
    const { code, stderr } = await list('--sign-key', file(wrong.privateJwk), url)
    expect([code, stderr.split('\n')]).toEqual([
      4,
      [expect.stringMatching(/request_signature_\w+: is the key of --sign-key registered/), ''],
    ])
  }

  const added = await adwire(['agents', 'add', 'mine', url, '--sign-key', key], env)
  expect(added.stdout).toBe(`saved mine: ${url}, signed\n`)
  expect((await adwire(['agents', 'list'], env)).stdout).toMatch(/^mine .* signs$/m)
  expect((await list('mine')).code).toBe(0)
  const kept = readFileSync(join(env.XDG_CONFIG_HOME, 'adwire', 'agents.json'), 'utf8')
  expect(kept).toContain(key)
  expect(kept).not.toContain(String(pair.privateJwk.d))
})

test('a key that cannot sign requests, and an agent that reads no signatures, are reported', async () => {
  const agent = await scriptedAgent({ do_it: {} }, () => ({ body: { status: 'completed' } }))
  const call = (path: string) =>
    adwire(['call', agent.url, 'do_it', '{}', '--transport', 'http', '--sign-key', path])
  const { privateJwk, publicJwk } = requestKey('x')
  const cases: [string, RegExp][] = [
    ['/no/such.jwk', /cannot read \/no\/such\.jwk/],
    [file(publicJwk), /must be a private JWK/],
    [file({ ...privateJwk, proto_use: 'webhook-signing' }), /cannot sign requests: .*proto_use/],
  ]
  for (const [path, message] of cases) {
    const { code, stderr } = await call(path)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  }
  expect(agent.calls).toEqual([])
  const { code, stderr } = await call(file(privateJwk))
  expect([code, stderr]).toEqual([2, expect.stringContaining('does not declare that it reads')])
  expect(agent.calls.map(({ headers }) => headers.signature)).toEqual([undefined])
})
