// Over a limit on a whole server: what a caller hears over each transport, and that no one else is touched.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({
    config: {
      demo: true,
      console: false,
      maxOpenTasks: 1,
      maxRegistrations: 1,
      maxPreviews: 1,
      maxBuiltBytes: 1,
    },
  })
})
afterAll(() => app.stop())

const LONG = { duration_seconds: 3_600, steps: 1 }
const push = (path: string) => ({
  push_notification_config: { url: `https://buyer.example/${path}` },
})
const code = (body: Record<string, unknown>) => (body.errors as { code: string }[])[0]?.code

test('a task more than a principal may have open is refused, and one of another is not', async () => {
  const [key, other] = [await app.principal(), await app.principal()]
  const begin = (by: string, n: number) =>
    call(`${app.url}/v3/simulate_task`, { key: by, body: { ...LONG, ...push(`${n}`) } })
  const first = await begin(key, 1)
  expect(first.status).toBe(202)
  const second = await begin(key, 2)
  expect([second.status, code(second.body)]).toEqual([409, 'QUOTA_EXCEEDED'])
  expect(second.body.errors).toMatchObject([
    { details: { quota: 'open_tasks', limit: 1, used: 1 }, suggestion: expect.any(String) },
  ])
  expect((await begin(other, 1)).status).toBe(202)
  const cancel = `${app.url}/v3/tasks/${first.body.task_id}/cancel`
  expect((await call(cancel, { key, body: {} })).status).toBe(200)
  // The registration of the first still exists: its end was reported to it.
  const third = await begin(key, 3)
  expect([third.status, third.body.errors]).toMatchObject([
    409,
    [{ details: { quota: 'registrations' } }],
  ])
})

test('over A2A a registration too many is a fault of the message, and nothing is begun', async () => {
  const key = await app.principal()
  const send = (id: string) =>
    call(`${app.url}/a2a`, {
      key,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: {
          configuration: { pushNotificationConfig: { url: `https://buyer.example/${id}` } },
          message: {
            kind: 'message',
            role: 'user',
            messageId: id,
            parts: [{ kind: 'data', data: { skill: 'simulate_task', parameters: LONG } }],
          },
        },
      },
    })
  expect((await send('m1')).body.result).toMatchObject({ status: { state: 'submitted' } })
  const before = await app.count('tasks')
  expect((await send('m2')).body.error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('1 of at most 1 webhook registrations'),
  })
  expect(await app.count('tasks')).toBe(before)
})

test('previews and files too many are refused, and nothing of them is kept', async () => {
  const key = await app.principal()
  const agent_url = app.url
  const format_id = { agent_url, id: 'display_300x250_image' }
  const click_url = { asset_type: 'url', url: 'https://shoes.example/' }
  const build = await call(`${app.url}/v3/build_creative`, {
    key,
    body: {
      target_format_id: format_id,
      message: 'A sale of shoes, 20 % off',
      creative_manifest: {
        format_id,
        assets: { promoted_offerings: { brand_manifest: { name: 'Shoes' } }, click_url },
      },
    },
  })
  expect([build.status, build.body.errors]).toMatchObject([
    409,
    [{ code: 'QUOTA_EXCEEDED', details: { quota: 'built_bytes', limit: 1, used: 0 } }],
  ])
  expect(await app.count('creative_assets')).toBe(0)
  const image = { asset_type: 'image', url: 'https://shoes.example/a.png', width: 300, height: 250 }
  const preview = await call(`${app.url}/v3/preview_creative`, {
    key,
    body: {
      request_type: 'single',
      format_id,
      inputs: [{ name: 'One' }, { name: 'Two' }],
      creative_manifest: { format_id, assets: { banner_image: image, click_url } },
    },
  })
  expect(preview.status).toBe(409)
  expect(preview.body.errors).toMatchObject([{ details: { quota: 'previews', limit: 1 } }])
  expect(await app.count('previews')).toBe(0)
})
