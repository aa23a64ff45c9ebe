import { expect, test } from 'vitest'
import { createFetchLimiter } from '../../src/key-discovery/fetch-limiter.ts'

/** Loads that stay under way until they are ended. */
function loads() {
  const underWay = new Map<string, () => void>()
  const load = (url: string) =>
    new Promise<{ ok: true; value: string }>((resolve) => {
      underWay.set(url, () => {
        underWay.delete(url)
        resolve({ ok: true, value: url })
      })
    })
  const running = () => [...underWay.keys()]
  return { load, running, end: (url: string) => underWay.get(url)?.() }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('only a limited number of documents is fetched at once, and the others when one has ended', async () => {
  const { load, running, end } = loads()
  const gated = createFetchLimiter({ atOnce: 2, ofHost: 2 })(load)
  const urls = ['https://a.example/1', 'https://b.example/1', 'https://c.example/1']
  const all = Promise.all(urls.map(gated))
  await turn()
  expect(running()).toEqual(urls.slice(0, 2))
  end(urls[0] as string)
  await turn()
  expect(running()).toEqual(urls.slice(1))
  for (const url of running()) end(url)
  expect(await all).toEqual(urls.map((value) => ({ ok: true, value })))
})

test('many documents of one host hold up no other host', async () => {
  const { load, running, end } = loads()
  const gated = createFetchLimiter({ atOnce: 3, ofHost: 1 })(load)
  const urls = ['https://a.example/1', 'https://a.example/2', 'https://b.example/1']
  const all = Promise.all(urls.map(gated))
  await turn()
  expect(running()).toEqual(['https://a.example/1', 'https://b.example/1'])
  end('https://a.example/1')
  await turn()
  expect(running()).toEqual(['https://b.example/1', 'https://a.example/2'])
  for (const url of running()) end(url)
  await all
})

test('a document whose turn does not come in time is unavailable', async () => {
  const { load, running, end } = loads()
  const gated = createFetchLimiter({ atOnce: 1, waitMs: 0 })(load)
  const first = gated('https://a.example/1')
  expect(await gated('https://b.example/1')).toMatchObject({
    ok: false,
    failure: 'signature_jwks_unavailable',
  })
  for (const url of running()) end(url)
  await first
})

test('a load that throws ends its turn', async () => {
  const gate = createFetchLimiter({ atOnce: 1 })
  const failing = gate(async () => {
    throw new Error('away')
  })
  await expect(failing('https://a.example/1')).rejects.toThrow('away')
  const next = gate(async (url) => ({ ok: true, value: url }))
  expect(await next('no URL')).toEqual({ ok: true, value: 'no URL' })
})
