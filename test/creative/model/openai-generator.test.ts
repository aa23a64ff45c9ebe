import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOpenAiGenerator } from '../../../src/creative/model/openai-generator.ts'
import { assetsOf, buildHarness, countColour, formatId } from '../build-steps/build-harness.ts'

interface Requested {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

let url: string
let requested: Requested[] = []
let answer: (
  path: string,
  body: Requested['body'],
) => { status?: number; body: unknown } | 'silence'
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const path = request.url ?? ''
    const body: Requested['body'] = JSON.parse(Buffer.concat(chunks).toString())
    requested.push({ path, headers: request.headers, body })
    const said = answer(path, body)
    if (said === 'silence') return
    response.writeHead(said.status ?? 200, { 'content-type': 'application/json' })
    response.end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body))
  })
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  requested = []
})

const WORDS = {
  headline: 'Warm feet',
  description: 'Boots for snow.',
  call_to_action: 'Shop boots',
}
const said = (content: unknown) => ({ body: { choices: [{ message: { content } }] } })
const faults: unknown[] = []
const generator = (over: object = {}) =>
  createOpenAiGenerator({
    url,
    key: 'secret',
    textModel: 'words-1',
    timeoutMs: 300,
    onFault: (error) => faults.push(error),
    ...over,
  })
const imageRequest = {
  brand: { name: 'Acme' },
  offering: { name: 'Boots' },
  limits: { headline: 60, description: 140, call_to_action: 20 },
}
const signal = new AbortController().signal

test('a language model is called once, with the key, and its words are read as plain text', async () => {
  answer = () => said(`Here: ${JSON.stringify({ ...WORDS, headline: '<b>Warm</b>\nfeet' })}`)
  expect(await generator().text?.(imageRequest, signal)).toEqual(WORDS)
  expect(requested).toHaveLength(1)
  expect(requested[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer secret' },
    body: { model: 'words-1', temperature: 0 },
  })
})

test.each([
  ['an error', () => ({ status: 500, body: {} })],
  ['a redirect', () => ({ status: 302, body: {} })],
  ['no JSON', () => ({ body: 'hello' })],
  ['no words', () => said('I cannot do that')],
  ['half of the words', () => said('{"headline":"x"}')],
  ['too much', () => ({ body: JSON.stringify({ x: 'y'.repeat(1_100_000) }) })],
  ['silence', () => 'silence' as const],
])('%s from the model server is “nothing came”', async (_what, with_) => {
  answer = with_
  expect(await generator().text?.(imageRequest, signal)).toBeUndefined()
  expect(JSON.stringify(faults.map(String))).not.toContain('secret')
})

test('without a model there is nothing to call', () => {
  expect(generator({ textModel: undefined })).toEqual({})
})

test('a schema is requested as far as the server supports it, and what it refuses is not requested again', async () => {
  const types = () =>
    requested.map(({ body }) => (body.response_format as { type?: string } | undefined)?.type)
  const isRefused = (type: string | undefined) => type === 'json_schema' || type === 'json_object'
  answer = (_path, { response_format }) =>
    isRefused((response_format as { type?: string } | undefined)?.type)
      ? { status: 400, body: {} }
      : said(JSON.stringify(WORDS))
  const one = generator({ timeoutMs: 30_000 })
  expect(await one.text?.(imageRequest, signal)).toEqual(WORDS)
  expect(types()).toEqual(['json_schema', 'json_object', undefined])
  expect(await one.text?.(imageRequest, signal)).toEqual(WORDS)
  expect(types()).toHaveLength(4)
  expect(JSON.stringify(requested[3]?.body)).toContain('JSON schema of the answer')

  requested = []
  answer = () => ({ status: 401, body: {} })
  expect(await generator({ timeoutMs: 30_000 }).text?.(imageRequest, signal)).toBeUndefined()
  expect(types()).toEqual(['json_schema'])
})

const request = (message: string) => ({
  message,
  promoted_offerings: {
    brand_manifest: { name: 'Acme', url: 'https://acme.example' },
    inline_offerings: [{ name: 'Boots' }],
  },
  target_format_id: formatId('native_standard'),
})

test('spec 4.2: a build takes words and pictures of a model, and continues without them', async () => {
  const picture = await sharp({
    create: { width: 64, height: 64, channels: 3, background: '#12ab34' },
  })
    .png()
    .toBuffer()
  const harness = await buildHarness({
    generator: generator({ imageModel: 'draws-1', timeoutMs: 30_000 }),
  })
  try {
    answer = (path) =>
      path.endsWith('/generations')
        ? { body: { data: [{ b64_json: picture.toString('base64') }] } }
        : said(JSON.stringify(WORDS))
    const built = await harness.build(request('Make a banner for our boots'))
    expect(assetsOf(built).title?.content).toBe('Warm feet')
    expect(assetsOf(built).cta_text?.content).toBe('Shop boots')
    const bytes = await harness.bytesOf(assetsOf(built).main_image)
    expect(await countColour(bytes, '#12ab34')).toBe(1_200 * 628)

    answer = () => ({ status: 503, body: {} })
    const without = await harness.build(request('Make a banner for our boots'))
    expect(assetsOf(without).title?.content).toContain('Boots')
    expect((without.ext as { build_notes: string[] }).build_notes).toEqual([
      'the built-in reader read the message, and not the language model: it gave no answer that can be used',
      'the language model gave no words: they were set by rules',
      'the image model gave no picture: it was drawn by rules',
    ])
  } finally {
    await harness.close()
  }
})

test.each([
  [
    'Make a banner for our boots',
    { headline: '50% off boots' },
    /contained “50%”, which is in no source/,
  ],
  ['Boots for €80. Don’t mention the price.', { description: 'Only €80.' }, /the message forbids/],
  ['Promote our boots', { description: 'Warm. '.repeat(400) }, /more than 2000 characters/],
])(
  'spec 4.2: a model that says more than %j allows is not printed',
  async (message, over, note) => {
    const harness = await buildHarness({ generator: generator({ timeoutMs: 30_000 }) })
    try {
      answer = () => said(JSON.stringify({ ...WORDS, ...over }))
      const built = await harness.build(request(message))
      expect(assetsOf(built).title?.content).toMatch(/^(?:our )?boots$/i)
      expect(message).toMatch(/boots/i)
      expect((built.ext as { build_notes: string[] }).build_notes.join('; ')).toMatch(note)
    } finally {
      await harness.close()
    }
  },
)
