import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import { loadDemo } from '../../../src/app/demo/load-demo.ts'
import { openStorage } from '../../../src/app/open-storage.ts'
import { wireApp } from '../../../src/app/wire.ts'
import { createLog } from '../../../src/lib/log.ts'
import { call } from '../../support/app.ts'
import { folder } from '../../support/cli.ts'
import { eventually } from '../../support/eventually.ts'

async function demoOf(data: string, demo = 'true') {
  const read = readConfig({ port: '0', data, demo }, {})
  if (!read.ok) throw new Error(read.errors.join())
  const app = await wireApp(read.config, createLog({ level: 'silent' }))
  let running = true
  const stop = async () => {
    if (running) await app.stop()
    running = false
  }
  onTestFinished(stop)
  return { app, stop }
}

const SANDBOX = [{ type: 'platform', platform: 'sandbox' }]

test('a restart keeps the key, and with it the library and the activations of the demo', async () => {
  const data = folder()
  const first = await demoOf(data)
  const { demoKey: key } = await first.app.start()
  const at = (path: string, body: unknown, url = first.app.url()) =>
    call(`${url}/v3/${path}`, { ...(key === undefined ? {} : { key }), body })
  const creative = {
    creative_id: 'c1',
    name: 'Banner',
    format_id: { agent_url: first.app.url(), id: 'display_300x250_html' },
    assets: {
      html_creative: { content: '<p>Warm feet</p>' },
    },
  }
  expect((await at('sync_creatives', { creatives: [creative] })).status).toBe(200)
  const found = await at('get_signals', {
    signal_spec: 'electric cars',
    deliver_to: { deployments: SANDBOX, countries: ['US'] },
  })
  const [{ signal_agent_segment_id }] = found.body.signals as [{ signal_agent_segment_id: string }]
  const activated = await at('activate_signal', { signal_agent_segment_id, deployments: SANDBOX })
  expect([200, 202]).toContain(activated.status)
  const library = (await at('list_creatives', {})).body.creatives
  const tasks = (await at('list_tasks', {})).body.tasks as { task_id: string }[]
  await first.stop()

  const file = join(data, 'demo-key')
  expect(readFileSync(file, 'utf8')).toBe(`${key}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const second = await demoOf(data)
  expect(await second.app.start()).toEqual({ demoKey: key })
  const url = second.app.url()
  expect(library).toHaveLength(1)
  expect((await at('list_creatives', {}, url)).body.creatives).toEqual(library)
  const later = (await at('list_tasks', {}, url)).body.tasks as { task_id: string }[]
  expect(later.map(({ task_id }) => task_id)).toEqual(tasks.map(({ task_id }) => task_id))
  const principals = await second.app.storage.principals.list()
  expect(principals.map(({ name }) => name)).toEqual(['Adwire demo', 'Demo buyer'])
})

test('the one key opens tasks and the registry, for the demo organisation, and only with --demo', async () => {
  const data = folder()
  const { app, stop } = await demoOf(data)
  const { demoKey: key = '' } = await app.start()
  const reference = {
    domain: 'shop.example',
    reference_type: 'url',
    manifest_url: 'https://shop.example/brand.json',
  }
  expect((await call(`${app.url()}/v3/list_tasks`, { key, body: {} })).status).toBe(200)
  const { status } = await call(`${app.url()}/api/manifest-refs`, { key, body: reference })
  expect(status).toBe(201)
  expect(await app.storage.organizations.list()).toHaveLength(1)
  await stop()
  const without = await demoOf(data, 'false')
  await without.app.start()
  for (const path of ['v3/list_tasks', 'api/manifest-refs']) {
    const { status } = await call(`${without.app.url()}/${path}`, { key, body: reference })
    expect([path, status]).toEqual([path, 401])
  }
})

test('a kept key that was revoked, or is none, is replaced', async () => {
  const data = folder()
  const storage = await openStorage({ data, databaseUrl: undefined, databasePool: 1 })
  onTestFinished(() => storage.close())
  const file = join(data, 'demo-key')
  const load = async () => {
    const { key } = await loadDemo(storage, {
      url: 'http://127.0.0.1:1',
      folder: data,
      onUnkept: (error) => {
        throw error
      },
    })
    expect(readFileSync(file, 'utf8')).toBe(`${key}\n`)
    return key
  }
  const key = await load()
  const [principal] = await storage.principals.list()
  const owner_id = principal?.principal_id ?? ''
  const [record] = await storage.apiKeys.list({ kind: 'principal', owner_id })
  await storage.transact((tx) => storage.apiKeys.revoke(tx, 'principal', record?.key_id ?? ''))
  const renewed = await load()
  expect(renewed).not.toBe(key)
  await storage.transact((tx) => storage.principals.revoke(tx, owner_id))
  expect(await load()).not.toBe(renewed)
  expect(await storage.principals.list()).toHaveLength(2)
  writeFileSync(file, 'scribble')
  await load()
})

test('/readyz is ready when the demo is loaded and its key works, and not before', async () => {
  const { app } = await demoOf(folder())
  const { organizations } = app.storage
  const list = organizations.list
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  // The first thing that loading requests.
  organizations.list = async () => {
    await held
    return list()
  }
  const starting = app.start()
  await eventually(async () => {
    const { status, body } = await call(`${app.url()}/readyz`)
    expect([status, body.error]).toEqual([503, 'not ready: the server is starting'])
  })
  goOn()
  const { demoKey: key = '' } = await starting
  expect((await call(`${app.url()}/readyz`)).status).toBe(200)
  expect((await call(`${app.url()}/v3/list_tasks`, { key, body: {} })).status).toBe(200)
})
