import { expect, test } from 'vitest'
import { askModelServer, chatObject } from '../../src/lib/model-server.ts'

const question = {
  path: '/chat/completions',
  body: { model: 'm' },
  maxBytes: 100,
  timeoutMs: 1_000,
} as const
const signal = new AbortController().signal
const answering = (answer: Response) => async () => answer

test('the response of a model server is read as JSON, requested once with the key as bearer token', async () => {
  const seen: [string, RequestInit | undefined][] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    seen.push([String(url), init])
    return Response.json({ ok: 1 })
  }
  const server = { url: 'http://model.example/v1/', key: 'k', fetch }
  expect(await askModelServer(server, question, signal)).toEqual({ ok: 1 })
  expect(seen).toHaveLength(1)
  expect(seen[0]?.[0]).toBe('http://model.example/v1/chat/completions')
  expect(seen[0]?.[1]?.headers).toMatchObject({ authorization: 'Bearer k' })
  expect(seen[0]?.[1]?.redirect).toBe('error')
})

test('a response that is larger than requested is not read to its end', async () => {
  let pulled = 0
  const endless = new ReadableStream({
    pull: (controller) => {
      pulled += 1
      controller.enqueue(new Uint8Array(64))
    },
  })
  const server = { url: 'http://model.example', fetch: answering(new Response(endless)) }
  await expect(askModelServer(server, question, signal)).rejects.toThrow('more than 100 bytes')
  expect(pulled).toBeLessThan(10)
})

test('a refusal of the server is reported by its status', async () => {
  const server = {
    url: 'http://model.example',
    fetch: answering(new Response('no', { status: 500 })),
  }
  await expect(askModelServer(server, question, signal)).rejects.toThrow('answered 500')
})

test('a response that does not end is aborted when its time is up', async () => {
  const fetch = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  const requested = askModelServer(
    { url: 'http://model.example', fetch: fetch as typeof globalThis.fetch },
    { ...question, timeoutMs: 1 },
    signal,
  )
  await expect(requested).rejects.toThrow('the time is up')
})

test('the object in a chat answer is found between whatever the model says around it', () => {
  const chat = (content: unknown) => ({ choices: [{ message: { content } }] })
  expect(chatObject(chat('Sure! {"a":1} Enjoy.'))).toEqual({ a: 1 })
  for (const nothing of [
    undefined,
    null,
    {},
    { choices: [] },
    chat(7),
    chat('none'),
    chat('[1]'),
    chat('{'),
  ]) {
    expect(chatObject(nothing)).toBeUndefined()
  }
})
