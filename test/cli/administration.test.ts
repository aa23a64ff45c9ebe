import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call } from '../support/app.ts'
import { adwire, folder, serve } from '../support/cli.ts'

async function json(args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await adwire([...args, '--json'])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as unknown
}

test('spec 5: a principal is made, listed and revoked', async () => {
  const at = ['--create', '--data', folder()]
  const made = (await json([
    'principals',
    'create',
    'Buyer',
    '--scopes',
    'tasks,operator',
    ...at,
  ])) as {
    principal_id: string
    key: string
  }
  expect(made).toEqual({
    principal_id: expect.stringMatching(/^prn_/),
    key: expect.stringMatching(/^adw_[A-Za-z0-9_-]{43}$/),
  })
  const listed = await adwire(['principals', 'list', '--json', ...at])
  expect(JSON.parse(listed.stdout)).toEqual([
    {
      principal_id: made.principal_id,
      name: 'Buyer',
      scopes: ['tasks', 'operator'],
      is_demo: false,
      is_sandbox: false,
      created_at: expect.any(String),
      last_used_at: null,
      revoked_at: null,
    },
  ])
  expect(listed.stdout).not.toContain(made.key)
  expect((await adwire(['principals', 'revoke', made.principal_id, ...at])).code).toBe(0)
  const [revoked] = (await json(['principals', 'list', ...at])) as { revoked_at: string | null }[]
  expect(revoked?.revoked_at).not.toBeNull()
})

test('spec 5: keys are rotated with an overlap and revoked, and a running server is notified at once', async () => {
  const at = ['--data', folder()]
  const { url } = await serve(at)
  const made = (await json(['principals', 'create', 'Buyer', ...at])) as MadeKey
  const status = async (key: string) =>
    (await call(`${url}/v3/list_tasks`, { key, body: {} })).status
  const id = made.principal_id
  const rotated = (await json([
    'principals',
    'keys',
    'rotate',
    id,
    '--overlap',
    '24h',
    ...at,
  ])) as MadeKey & { replaced: { key_id: string; expires_at: string }[] }
  expect(rotated.replaced).toHaveLength(1)
  expect([await status(made.key), await status(rotated.key)]).toEqual([200, 200])
  const [old] = rotated.replaced
  const revoked = await adwire(['principals', 'keys', 'revoke', old?.key_id ?? '', ...at])
  expect(revoked).toMatchObject({ code: 0, stdout: `revoked ${old?.key_id}\n` })
  expect([await status(made.key), await status(rotated.key)]).toEqual([401, 200])
  const listed = await adwire(['principals', 'keys', 'list', id, ...at])
  expect(listed.stdout.match(/\b(good|revoked|expired) +\d/g)).toHaveLength(2)
  expect(listed.stdout).not.toContain(rotated.key)
})

interface MadeKey {
  principal_id: string
  key_id: string
  key: string
}

test('spec 2.7: accounts are granted with a principal or later, and taken away', async () => {
  const at = ['--create', '--data', folder()]
  const accounts = ['--account', 'the-trade-desk:agency:1', '--account', 'openx:a']
  const { principal_id: id } = (await json([
    'principals',
    'create',
    'Buyer',
    ...accounts,
    ...at,
  ])) as { principal_id: string }
  const grant = (...given: string[]) => adwire(['principals', 'grant', id, ...given, ...at])
  expect((await grant('https://sales.example:8443/agent:b')).stdout.trim().split('\n')).toEqual([
    'https://sales.example:8443/agent:b',
    'openx:a',
    'the-trade-desk:agency:1',
  ])
  const revoke = () => adwire(['principals', 'revoke-account', id, 'openx:a', ...at])
  expect(await revoke()).toMatchObject({ code: 0, stdout: `revoked openx:a from ${id}\n` })
  expect(await revoke()).toMatchObject({ code: 2, stderr: expect.stringContaining('not granted') })
  expect((await grant('openx:c')).stdout).not.toContain('openx:a')
})

test('a principal and an organisation are deleted by name or id, and a running server is notified', async () => {
  const at = ['--data', folder()]
  const { url } = await serve(at)
  const made = (await json(['principals', 'create', 'Buyer', ...at])) as MadeKey
  const status = async () =>
    (await call(`${url}/v3/list_creatives`, { key: made.key, body: {} })).status
  expect(await status()).toBe(200)
  const deleted = await adwire(['principals', 'delete', 'Buyer', '--force', ...at])
  expect(deleted).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(new RegExp(`^deleted ${made.principal_id} with .*keys: 1`)),
  })
  expect(await status()).toBe(401)
  expect(await json(['principals', 'list', ...at])).toEqual([])

  const org = (await json(['orgs', 'create', 'Acme', ...at])) as {
    organization_id: string
    key: string
  }
  const body = {
    domain: 'acme.example',
    reference_type: 'url',
    manifest_url: 'https://acme.example/brand.json',
  }
  await call(`${url}/api/manifest-refs`, { key: org.key, body })
  const refused = await adwire(['orgs', 'delete', 'Acme', ...at])
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `error: ${org.organization_id} has references: 1: nothing was deleted; use --force to cancel and delete all of it\n`,
  })
  expect(await json(['orgs', 'delete', org.organization_id, '--force', ...at])).toEqual({
    organization_id: org.organization_id,
    deleted: true,
    ownedRows: { references: 1, valid_references: 0, agents: 0, members: 0, keys: 1 },
  })
  expect((await call(`${url}/api/manifest-refs`, { key: org.key, body })).status).toBe(401)
})

test('a name that several have is not deleted by', async () => {
  const at = ['--create', '--data', folder()]
  const create = () => json(['principals', 'create', 'Twin', ...at])
  const twins = [(await create()) as MadeKey, (await create()) as MadeKey]
  const { code, stderr } = await adwire(['principals', 'delete', 'Twin', '--force', ...at])
  expect(code).toBe(2)
  for (const { principal_id } of twins) expect(stderr).toContain(principal_id)
  expect(await json(['principals', 'list', ...at])).toHaveLength(2)
})

test('what a command cannot do is said in a line, with exit code 2', async () => {
  const at = ['--create', '--data', folder()]
  for (const [args, part] of [
    [['principals', 'create', 'x', '--scopes', 'root'], 'tasks'],
    [['principals', 'revoke', 'prn_nobody'], 'no principal prn_nobody'],
    [['principals', 'create', 'x', '--account', 'openx'], 'use <platform>:<account>'],
    [['principals', 'grant', 'prn_nobody', 'openx:a'], 'no principal prn_nobody'],
    [
      ['principals', 'keys', 'rotate', 'x', '--overlap', 'soon'],
      '--overlap must be a duration of up to ten years, such as 30m, 24h or 90d (got soon)',
    ],
    [['principals', 'keys', 'add', 'x', '--expires', '0d'], '--expires must be longer than 0d'],
    [['orgs', 'keys', 'add', 'org_nobody'], 'no organisation org_nobody'],
    [['orgs', 'rename', 'org_nobody', 'x'], 'no organisation org_nobody'],
    [['principals', 'rename', 'prn_nobody', 'x'], 'no principal prn_nobody'],
    [['orgs', 'delete', 'org_nobody'], 'no organisation org_nobody'],
    [['principals', 'delete', 'prn_nobody'], 'no principal prn_nobody'],
    [['orgs', 'create', '  '], '1 to 200'],
    [['lookup', 'localhost'], 'single label'],
    [['refs', 'import', '/nowhere.jsonl'], 'cannot read /nowhere.jsonl'],
    [['refs', 'import', tmpdir()], 'give the path of a file of JSON lines'],
    [['sandbox', 'load', '/nowhere'], '/nowhere has no principals.json, signals.jsonl or'],
    [['approvals', 'approve', 'task_none'], 'adwire approvals list shows the waiting approvals'],
    [['keys', 'list', '--bogus'], '(add --help for the options)'],
    [['keys', 'turn'], '(add --help for the options)'],
  ] as const) {
    const { code, stderr, stdout } = await adwire([...args, ...at])
    expect([args, code, stdout]).toEqual([args, 2, ''])
    expect(stderr).toContain(part)
    expect(stderr).not.toMatch(/ {4}at /)
  }
})

test('commands work beside a running server, which sees at once what they did', async () => {
  const data = folder()
  const { url } = await serve(['--data', data])
  const { organization_id, key } = (await json(['orgs', 'create', 'Acme', '--data', data])) as {
    organization_id: string
    key: string
  }
  expect(organization_id).toMatch(/^org_/)
  expect(key).toMatch(/^sk_/)
  const created = await call(`${url}/api/manifest-refs`, {
    key,
    body: {
      domain: 'acme.example',
      reference_type: 'url',
      manifest_url: 'https://acme.example/brand.json',
    },
  })
  expect(created.status).toBe(201)

  const found = await adwire(['lookup', 'ACME.example', '--json', '--data', data])
  expect(found.code).toBe(0)
  expect(JSON.parse(found.stdout)).toMatchObject({
    success: true,
    found: true,
    reference: { manifest_url: 'https://acme.example/brand.json' },
  })
  expect(await json(['orgs', 'list', '--data', data])).toEqual([
    expect.objectContaining({ organization_id, name: 'Acme' }),
  ])
  const renamed = await adwire(['orgs', 'rename', organization_id, 'Acme Media', '--data', data])
  expect(renamed).toMatchObject({ code: 0, stdout: `renamed ${organization_id}\n` })
  expect(await json(['orgs', 'list', '--data', data])).toEqual([
    expect.objectContaining({ organization_id, name: 'Acme Media', last_used_at: null }),
  ])
  expect((await adwire(['migrate', '--data', data])).stdout).toBe('the database is up to date\n')
  expect((await call(`${url}/readyz`)).status).toBe(200)
})

test('a lookup that finds nothing says so and exits with 1', async () => {
  const at = ['--create', '--data', folder()]
  const plain = await adwire(['lookup', 'nobody.example', ...at])
  expect([plain.code, plain.stdout]).toEqual([1, 'no brand.json reference for nobody.example\n'])
  const other = await adwire(['lookup', 'nobody.example', '--type', 'brand', ...at])
  expect([other.code, other.stdout]).toEqual([
    1,
    'no brand reference for nobody.example: the types are brand.json and adagents.json\n',
  ])
  const asJson = await adwire(['lookup', 'nobody.example', '--json', ...at])
  expect([asJson.code, JSON.parse(asJson.stdout)]).toEqual([1, { success: false, found: false }])
})

test('fixtures of a sandbox are loaded, and principals that are not JSON are reported', async () => {
  const at = ['--create', '--data', folder()]
  const fixtures = folder()
  const file = join(fixtures, 'principals.json')
  writeFileSync(file, '[{')
  const broken = await adwire(['sandbox', 'load', fixtures, ...at])
  expect([broken.code, broken.stderr]).toEqual([
    1,
    `error: ${file}: This is not JSON: give a list of principals.\n`,
  ])
  writeFileSync(file, JSON.stringify([{ name: 'Grader', key: 'a-key-of-a-grader' }]))
  const loaded = await adwire(['sandbox', 'load', fixtures, ...at])
  expect(loaded.stdout).toMatch(/^0 signals, 0 products\nprn_\S+ Grader, key a-key-of-a-grader\n$/)
})

test('migrate names what it applied, once', async () => {
  const at = ['--data', folder()]
  expect((await adwire(['migrate', ...at])).stdout).toMatch(
    /^applied server\/0001-baseline\napplied server\/0002-console-roles\napplied quotas\/0001-baseline\n/,
  )
  expect((await adwire(['migrate', ...at])).stdout).toBe('the database is up to date\n')
})
