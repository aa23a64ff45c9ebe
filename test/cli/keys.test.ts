import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateKeyPair } from '../../src/signing/keys.ts'
import { call } from '../support/app.ts'
import { adwire, type Env, folder, serve } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'

const SECRET = { ADWIRE_KEY_SECRET: 'a secret of thirty-two characters' }

interface Key {
  kid: string
  state: string
  private_key: string
  active_from: string | null
}

async function json<T>(args: readonly string[], env: Env = SECRET): Promise<T> {
  const { code, stdout, stderr } = await adwire(['keys', ...args], env)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as T
}

test('spec 5: a key is made, listed, exported, rotated and revoked', async () => {
  const at = ['--create', '--data', folder()]
  const first = await json<Key>(['generate', '--alg', 'ecdsa-p256-sha256', '--json', ...at])
  expect(first).toMatchObject({ state: 'active', private_key: 'sealed' })

  const exported = await json<object>(['export', first.kid, ...at])
  expect(exported).toMatchObject({ kid: first.kid, alg: 'ES256', key_ops: ['verify'] })
  expect(exported).not.toHaveProperty('d')
  expect(await json(['export', first.kid, '--private', ...at])).toHaveProperty('d')

  const planned = await json<{ key: Key; retired: Key[] }>(['rotate', '--json', ...at])
  expect(planned).toMatchObject({
    key: { state: 'published', algorithm: 'ecdsa-p256-sha256' },
    retired: [{ kid: first.kid, state: 'active' }],
  })
  const hurried = await json<{ key: Key }>(['rotate', '--now', '--json', ...at])
  expect(hurried.key.kid).toBe(planned.key.kid)
  expect(String(hurried.key.active_from) < String(planned.key.active_from)).toBe(true)
  const revoked = await json<{ signs_now: Key }>(['revoke', first.kid, '--json', ...at])
  expect(revoked.signs_now).toMatchObject({ kid: hurried.key.kid, state: 'active' })

  const listed = await adwire(['keys', 'list', ...at], SECRET)
  expect(listed.stdout).toMatch(new RegExp(`${first.kid} .*revoked +erased`))
  expect(await json<Key[]>(['list', '--json', ...at])).toHaveLength(2)
})

test('spec 5: a running server sees what a command did, and publishes no private half', async () => {
  const data = folder()
  const { url } = await serve(['--data', data], SECRET)
  const kids = async () => {
    const { body } = await call(`${url}/.well-known/jwks.json`)
    return (body.keys as { kid: string }[]).map(({ kid }) => kid)
  }
  const [first] = await kids()
  const { key } = await json<{ key: Key }>(['rotate', '--json', '--create', '--data', data])
  await eventually(async () => expect((await kids()).sort()).toEqual([first, key.kid].sort()))
  await adwire(['keys', 'revoke', first as string, '--create', '--data', data], SECRET)
  await eventually(async () => expect(await kids()).toEqual([key.kid]))
})

test('a server does not start with a secret that does not open its key', async () => {
  const data = folder()
  await json(['generate', '--json', '--create', '--data', data])
  for (const env of [{}, { ADWIRE_KEY_SECRET: 'another secret of thirty-two characters' }]) {
    const { code, stderr } = await adwire(['serve', '--port', '0', '--data', data], env as Env)
    expect([code, stderr]).toEqual([1, expect.stringContaining('ADWIRE_KEY_SECRET')])
  }
  const short = await adwire(['keys', 'list', '--create', '--data', data], {
    ADWIRE_KEY_SECRET: 'short',
  })
  expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('32 or more characters')])
  expect(short.stderr).not.toContain('"short"')
})

test('a key held elsewhere is published from its public JWK', async () => {
  const data = folder()
  const { publicJwk, privateJwk } = generateKeyPair('ed25519', {
    keyUse: 'proto_use',
    purpose: 'webhook-signing',
    kid: 'kms-1',
  })
  const file = join(data, 'key.json')
  const generate = ['keys', 'generate', '--held-elsewhere', file, '--create', '--data', data]
  writeFileSync(file, JSON.stringify(privateJwk))
  expect(await adwire(generate)).toMatchObject({ code: 2, stderr: expect.stringContaining('`d`') })
  writeFileSync(file, JSON.stringify(publicJwk))
  expect(await adwire(generate)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^kms-1 /),
  })
  expect(await json<Key[]>(['list', '--json', '--create', '--data', data])).toMatchObject([
    { kid: 'kms-1', private_key: 'elsewhere' },
  ])
})

test('what a command cannot do is said in a line, with exit code 2', async () => {
  const at = ['--create', '--data', folder()]
  for (const [args, part] of [
    [['revoke', 'nobody'], 'no key nobody'],
    [['export', 'nobody'], 'no key nobody'],
    [['generate', '--held-elsewhere', '/nowhere.json'], 'cannot read /nowhere.json'],
  ] as const) {
    const { code, stderr, stdout } = await adwire(['keys', ...args, ...at])
    expect([args, code, stdout]).toEqual([args, 2, ''])
    expect(stderr).toContain(part)
    expect(stderr).not.toMatch(/ {4}at /)
  }
})
