import { expect, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import { ask } from '../../support/console.ts'
import { eventually } from '../../support/eventually.ts'

test('one click opens the console of a demo, and there is something to look at', async () => {
  const app = await startApp({ config: { demo: true } })
  try {
    const { body: nobody } = await ask(`${app.url}/console/api/session`)
    expect(nobody.demo).toBe(true)
    const entered = await ask(`${app.url}/console/api/session`, {
      method: 'POST',
      body: { demo: true },
    })
    expect(entered.body).toMatchObject({
      roles: ['viewer', 'operator', 'approver', 'admin'],
      demo: true,
    })
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    const get = async (path: string) =>
      (await ask(`${app.url}/console/api${path}`, { headers: { cookie } })).body
    const past = (await get('/overview')).deliveries.buckets
    const sum = (name: string) =>
      past.reduce((all: number, bucket: Record<string, number>) => all + (bucket[name] ?? 0), 0)
    expect(sum('delivered')).toBeGreaterThan(300)
    expect(sum('exhausted')).toBeGreaterThan(3)
    await eventually(async () => {
      const { items } = await get('/deliveries?status=retrying')
      const kinds = new Set(items.map(({ fault }: { fault?: { kind: string } }) => fault?.kind))
      expect([...kinds].sort()).toEqual(['connection', 'server_error', 'signature_refused'])
    })
    await eventually(async () => {
      const { items } = await get('/tasks')
      const statuses = items.map(({ status }: { status: string }) => status).sort()
      expect(statuses).toEqual([
        'completed',
        'failed',
        'input-required',
        'input-required',
        'working',
      ])
    })
    await eventually(async () => {
      const { level, notices } = await get('/overview')
      expect([level, notices.length > 2]).toEqual(['bad', true])
    })
    await eventually(async () => {
      const { reports, approvals, notices } = await get('/overview')
      expect(reports).toMatchObject({ late: 1, given_up: 0 })
      expect(approvals).toMatchObject({
        waiting: 1,
        oldest: [{ requested: { total_budget: 12_000 } }],
      })
      const topics = notices.map(({ topic }: { topic: string }) => topic)
      expect(topics).toEqual(expect.arrayContaining(['reports', 'approvals']))
    })
    const states = (await get('/endpoints')).items.map(({ state }: { state: string }) => state)
    expect(states).toContain('healthy')
  } finally {
    await app.stop()
  }
})

test('a page of another name that leads to this machine does not get in', async () => {
  const app = await startApp({ config: { demo: true } })
  try {
    // fetch sets Host itself, so the request is made manually.
    const { request } = await import('node:http')
    const { port } = new URL(app.url)
    const status = await new Promise((resolve, reject) => {
      const body = '{"demo":true}'
      const headers = { host: 'evil.example', 'content-type': 'application/json' }
      request({ port, host: '127.0.0.1', path: '/console/api/session', method: 'POST', headers })
        .on('response', (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        .on('error', reject)
        .end(body)
    })
    expect(status).toBe(403)
  } finally {
    await app.stop()
  }
})
