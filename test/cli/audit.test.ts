import { expect, test } from 'vitest'
import { adwire, folder, serve } from '../support/cli.ts'

test('a refused sign-in is listed beside the running server, by outcome, action, principal and address', async () => {
  const at = ['--data', folder()]
  const server = await serve(at, { ADWIRE_CONSOLE: 'true' })
  const signIn = (key: string) =>
    fetch(`${server.url}/console/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    })
  const made = await adwire(['principals', 'create', 'A', '--scopes', 'viewer', '--json', ...at])
  expect((await signIn((JSON.parse(made.stdout) as { key: string }).key)).status).toBe(200)
  for (let n = 0; n < 3; n++) expect((await signIn('adw_0123456789abcdef')).status).toBe(401)
  server.child.kill('SIGTERM')
  await server.ended
  const list = async (...flags: string[]) =>
    JSON.parse((await adwire(['audit', 'list', '--json', ...flags, ...at])).stdout) as object[]
  const refused = {
    action: 'session.sign_in',
    outcome: 'refused',
    principal_id: 'unknown',
    address: '127.0.0.1',
    // The server wrote the count when it stopped.
    attempts: 3,
    last_at: expect.stringMatching(/Z$/),
  }
  expect(await list()).toMatchObject([refused, { action: 'session.sign_in', outcome: 'done' }])
  for (const flags of [
    ['--outcome', 'refused'],
    ['--principal', 'unknown'],
    ['--action', 'session.sign_in', '--address', '127.0.0.1', '--limit', '1'],
  ]) {
    expect(await list(...flags)).toMatchObject([refused])
  }
  expect(await list('--address', '192.0.2.1')).toEqual([])
  const table = await adwire(['audit', 'list', ...at])
  expect(table.stdout).toContain('no principal has this key')
})
