import { afterAll, beforeAll, expect, test } from 'vitest'
import { PUBLIC_REGISTRY_PATHS } from '../../../src/registry/public-paths.ts'
import { call, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('spec 4.5: a path of the public registry that is not served is never 404, which its clients read as "no such thing"', async () => {
  for (const path of PUBLIC_REGISTRY_PATHS) {
    const [method = '', url = ''] = path.split(' ')
    const answer = await call(app.url + url.replace(/:\w+/g, 'x'), { method })
    const isEmpty = answer.status === 404 && answer.body.error !== 'no resource at this path'
    if (isEmpty) continue
    expect([path, answer.status]).not.toEqual([path, 404])
  }
})

test('what is not implemented says so in one sentence, and before its body is read', async () => {
  const answer = await call(`${app.url}/api/storyboards/x`)
  expect(answer.status).toBe(501)
  expect(answer.body).toEqual({
    error: expect.stringContaining('does not implement'),
    request_id: expect.any(String),
  })
  const big = await call(
    `${app.url}/api/registry/agents/https%3A%2F%2Fa.example%2Fmcp/storyboard/x/run`,
    { method: 'POST', body: '{' },
  )
  expect(big.status).toBe(501)
})

test('another method of such a path is 405 with those that it has', async () => {
  const answer = await call(`${app.url}/api/storyboards`, { method: 'DELETE' })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('GET')
})

test('a path that no one knows is 404', async () => {
  expect((await call(`${app.url}/api/nonsense`)).status).toBe(404)
})
