import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { adwire, folder } from '../support/cli.ts'

const AGENT = 'https://sell.example/mcp'
const entry = (over: object = {}) => ({
  url: AGENT,
  authorized_for: 'display',
  authorization_type: 'property_ids',
  property_ids: ['home'],
  ...over,
})
const HOME = {
  property_id: 'home',
  property_type: 'website',
  name: 'Home',
  identifiers: [{ type: 'domain', value: 'pub.example' }],
}

function file(name: string, content: unknown): string {
  const path = join(folder(), name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return path
}

async function site(pages: Record<string, string>): Promise<string> {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? '']
    response.statusCode = page === undefined ? 404 : 200
    response.end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a valid file is displayed with what it would authorize, and exits with 0', async () => {
  const path = file('adagents.json', { authorized_agents: [entry()], properties: [HOME] })
  const { code, stdout } = await adwire(['validate', path, '--domain', 'pub.example'])
  expect(code).toBe(0)
  expect(stdout).toContain('adagents.json: valid')
  expect(stdout).toMatch(/https:\/\/sell\.example\/mcp +pub\.example +1 of 1 +all/)
})

test('every fault is on a line of its own with file, line and pointer, and the exit code is 1', async () => {
  const path = file('adagents.json', {
    authorized_agents: [entry({ url: 'http://sell.example' }), entry({ property_ids: [] })],
    properties: [HOME],
  })
  const { code, stdout } = await adwire(['validate', path])
  expect(code).toBe(1)
  const lines = stdout.split('\n')
  expect(lines[0]).toMatch(/adagents\.json:4: error: \/authorized_agents\/0\/url must be an https/)
  expect(lines[1]).toMatch(/adagents\.json:\d+: error: \/authorized_agents\/1\/property_ids /)
  expect(stdout).toContain('It would authorize no agent for any property.')
  expect(stdout).toContain('adagents.json: not valid')
})

test('a brand.json and an ads.txt are checked by the rules of their type', async () => {
  const brand = await adwire(['validate', file('brand.json', '{\n  "id": 7,\n'), '--json'])
  expect(brand.code).toBe(1)
  expect(JSON.parse(brand.stdout)).toMatchObject({
    type: 'brand.json',
    valid: false,
    faults: [{ pointer: '', line: 3 }],
  })
  const ads = await adwire(['validate', file('ads.txt', 'MANAGERDOMAIN=net.example\n')])
  expect(ads).toMatchObject({ code: 0, stderr: '' })
  expect(ads.stdout).toContain('MANAGERDOMAIN: net.example')
})

test('what another publisher has to confirm is said beside it', async () => {
  const path = file('adagents.json', {
    authorized_agents: [entry()],
    properties: [{ ...HOME, publisher_domain: 'other.example' }],
  })
  const { stdout } = await adwire(['validate', path, '--domain', 'net.example'])
  expect(stdout).toContain('after other.example points to this file')
})

test('a URL of a site leads to its well-known file; what is not there exits with 3', async () => {
  const content = JSON.stringify({ authorized_agents: [entry()], properties: [HOME] })
  const url = await site({ '/.well-known/adagents.json': content })
  const found = await adwire(['validate', url, '--allow-private', '--domain', 'pub.example'])
  expect(found).toMatchObject({ code: 0, stderr: '' })
  const missing = await adwire(['validate', `${url}/brand.json`, '--allow-private'])
  expect(missing.code).toBe(3)
  expect(missing.stderr).toContain('the response is 404, not 200')
  const guarded = await adwire(['validate', url])
  expect(guarded.code).toBe(3)
})

test('a file whose type is not in its name needs --type', async () => {
  const path = file('new.json', { authorized_agents: [entry()], properties: [HOME] })
  const { code, stderr } = await adwire(['validate', path])
  expect(code).toBe(2)
  expect(stderr).toContain('give --type')
  expect((await adwire(['validate', path, '--type', 'adagents.json'])).code).toBe(0)
  expect((await adwire(['validate', join(folder(), 'ads.txt')])).code).toBe(2)
})

test('a file made from flags passes its own check', async () => {
  const out = join(folder(), 'adagents.json')
  const flags = ['--domain', 'www.Pub.example', '--agent', AGENT, '--countries', 'US,CA']
  const made = await adwire(['adagents', 'create', ...flags, '--out', out])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const checked = await adwire(['validate', out, '--domain', 'pub.example'])
  expect(checked.code).toBe(0)
  expect(checked.stdout).toMatch(/pub\.example +1 of 1 +US CA/)
  const again = await adwire(['adagents', 'create', ...flags, '--out', out])
  expect(again).toMatchObject({ code: 2 })
  expect(again.stderr).toContain('already exists')
})

test('parts with a fault are refused with its place, and nothing is printed', async () => {
  const parts = file('parts.json', { authorized_agents: [entry({ countries: ['us'] })] })
  const { code, stdout, stderr } = await adwire(['adagents', 'create', '--parts', parts])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('/authorized_agents/0/countries')
  const empty = file('empty.json', { authorized_agents: [] })
  expect((await adwire(['adagents', 'create', '--parts', empty])).stderr).toContain('is empty')
})
