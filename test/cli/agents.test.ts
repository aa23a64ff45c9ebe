import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { adwire, folder } from '../support/cli.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const KEY = 'adw_a_key_that_nobody_may_see'

function home() {
  const dir = folder()
  const env = { XDG_CONFIG_HOME: dir }
  const agents = (...args: string[]) => adwire(['agents', ...args], env)
  return { agents, env, file: join(dir, 'adwire', 'agents.json') }
}

test('agents are saved, listed without their keys, and removed', async () => {
  const { agents, file } = home()
  const added = await agents(
    'add',
    'acme',
    'https://agent.example/mcp',
    '--auth',
    KEY,
    '--transport',
    'mcp',
  )
  expect(added).toMatchObject({
    code: 0,
    stdout: 'saved acme: https://agent.example/mcp, with a key\n',
  })
  await agents('add', 'beta', 'https://beta.example')
  const listed = await agents('list')
  expect(listed.stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['name', 'url', 'transport', 'key'],
    ['acme', 'https://agent.example/mcp', 'mcp', 'yes'],
    ['beta', 'https://beta.example', 'found out', '-'],
    [''],
  ])
  const json = await agents('list', '--json')
  expect(JSON.parse(json.stdout)).toEqual([
    { name: 'acme', url: 'https://agent.example/mcp', transport: 'mcp', has_key: true },
    { name: 'beta', url: 'https://beta.example', has_key: false },
  ])
  for (const { stdout, stderr } of [added, listed, json]) expect(stdout + stderr).not.toContain(KEY)
  expect((await agents('remove', 'acme')).code).toBe(0)
  expect((await agents('list', '--names')).stdout).toBe('beta\n')
  expect(readFileSync(file, 'utf8')).not.toContain(KEY)
})

test('the file and its folder are for their owner alone, whatever the umask', async () => {
  const { env, file } = home()
  const command = `umask 0; ${process.execPath} ${MAIN} agents add acme https://agent.example`
  expect(spawnSync('sh', ['-c', command], { env: { ...process.env, ...env } }).status).toBe(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
  expect(existsSync(`${file}.new`)).toBe(false)
})

test('a file that other users may open is refused, for reading and for changing it', async () => {
  const { agents, file } = home()
  await agents('add', 'acme', 'https://agent.example')
  chmodSync(file, 0o640)
  for (const args of [['list'], ['add', 'beta', 'https://beta.example'], ['remove', 'acme']]) {
    const { code, stderr } = await agents(...args)
    expect([code, stderr]).toEqual([
      2,
      `error: ${file} contains keys, and other users can read it: run chmod 600 ${file}\n`,
    ])
  }
  expect(existsSync(`${file}.new`)).toBe(false)
})

test('a key can come from standard input or a file, and is in no argument then', async () => {
  const { env, file } = home()
  const add = (...args: string[]) =>
    spawnSync(process.execPath, [MAIN, 'agents', 'add', ...args], {
      env: { ...process.env, ...env },
      input: `${KEY}\n`,
      encoding: 'utf8',
    })
  expect(add('one', 'https://one.example', '--auth', '-').status).toBe(0)
  const keyFile = join(folder(), 'key')
  writeFileSync(keyFile, `${KEY}2\n`)
  expect(add('two', 'https://two.example', '--auth', `@${keyFile}`).status).toBe(0)
  expect(JSON.parse(readFileSync(file, 'utf8')).agents).toMatchObject({
    one: { auth: KEY },
    two: { auth: `${KEY}2` },
  })
})

test('what cannot be saved ends with 2 and says what would be right', async () => {
  const { agents, file, env } = home()
  await agents('add', 'acme-signals', 'https://agent.example')
  const cases: [string[], RegExp][] = [
    [['add', 'acme-signals', 'https://other.example'], /already saved: add --replace/],
    [['add', '9', 'https://other.example'], /starts with a letter/],
    [['add', 'x', 'ftp://other.example'], /is not the URL of an agent: give one such as https/],
    [
      ['add', 'x', 'https://u:p@other.example'],
      /must not contain a user name or password: pass the key with --auth/,
    ],
    [['remove', 'acme-signal'], /no saved agent acme-signal: did you mean acme-signals\?/],
  ]
  for (const [args, reported] of cases) {
    expect(await agents(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(reported),
    })
  }
  const called = await adwire(['call', 'acme-signls'], env)
  expect(called).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/did you mean acme-signals/),
  })
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '[]', { mode: 0o600 })
  expect((await agents('list')).stderr).toMatch(/not a file of saved agents: remove it/)
})

test('ADWIRE_AGENTS_FILE says where they are kept', async () => {
  const file = join(folder(), 'deep', 'mine.json')
  const env = { ADWIRE_AGENTS_FILE: file }
  await adwire(['agents', 'add', 'acme', 'https://agent.example'], env)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    agents: { acme: { url: 'https://agent.example' } },
  })
})

test('a change that another is about to make is not overwritten', async () => {
  const { agents, file } = home()
  await agents('add', 'acme', 'https://agent.example')
  writeFileSync(`${file}.new`, '')
  expect(await agents('add', 'beta', 'https://beta.example')).toMatchObject({
    code: 2,
    stderr: 'error: another adwire is changing the saved agents: try again\n',
  })
  expect((await agents('list', '--names')).stdout).toBe('acme\n')
})
