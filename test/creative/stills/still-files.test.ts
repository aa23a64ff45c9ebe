import { expect, test } from 'vitest'
import { MAX_STILL_FILE_BYTES, MAX_STILL_FILES } from '../../../src/creative/limits.ts'
import { createFindFile } from '../../../src/creative/stills/still-files.ts'

function finder(bytesEach = 1) {
  const requested: { url: string; maxBytes: number }[] = []
  const fetch = async ({ url, maxBytes }: { url: string; maxBytes: number }) => {
    requested.push({ url, maxBytes })
    const headers = { 'content-type': 'image/png' }
    return { ok: true, status: 200, headers, body: { byteLength: bytesEach } }
  }
  const find = createFindFile(
    { egress: { fetch } as never, ownAsset: async () => undefined },
    { brought: new Map(), signal: new AbortController().signal },
  )
  return { find, requested }
}

test('one call fetches a limited number of images, each once, and reports the others as too many', async () => {
  const { find, requested } = finder()
  const urls = Array.from({ length: MAX_STILL_FILES + 1 }, (_, at) => `https://cdn.example/${at}`)
  const found = await Promise.all([...urls, ...urls].map((url) => find(url)))
  expect(requested).toHaveLength(MAX_STILL_FILES)
  expect(found.filter(({ ok }) => !ok)).toHaveLength(2)
  expect(found[MAX_STILL_FILES]).toEqual({
    ok: false,
    reason: 'there are too many of them for one call',
  })
})

test('one call fetches a limited number of bytes: what is left of them is the limit of the next image', async () => {
  const { find, requested } = finder(MAX_STILL_FILE_BYTES - 10)
  await find('https://cdn.example/large')
  await find('https://cdn.example/next')
  expect(requested[1]?.maxBytes).toBe(10)
  expect(await find('https://cdn.example/last')).toMatchObject({ ok: false })
  expect(requested).toHaveLength(2)
})
