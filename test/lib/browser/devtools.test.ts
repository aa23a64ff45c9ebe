import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { connectDevTools } from '../../../src/lib/browser/devtools.ts'

/** The other end of the pipe: what was requested, and how to answer. */
function pipe() {
  const input = new PassThrough()
  const output = new PassThrough()
  const ends: string[] = []
  const requested: { id: number; method: string; sessionId?: string }[] = []
  input.on('data', (chunk: Buffer) => {
    for (const text of chunk.toString().split('\0').filter(Boolean))
      requested.push(JSON.parse(text))
  })
  const devTools = connectDevTools({ input, output }, (reason) => ends.push(reason))
  const say = (message: unknown) => output.write(`${JSON.stringify(message)}\0`)
  return { devTools, output, ends, requested, say }
}

test('an answer finds its question, in whatever order and pieces it comes', async () => {
  const { devTools, output, requested } = pipe()
  const first = devTools.send('Page.enable', {}, 's1')
  const second = devTools.send('Browser.getVersion')
  await expect.poll(() => requested.length).toBe(2)
  expect(requested[0]).toMatchObject({ method: 'Page.enable', sessionId: 's1' })
  const texts = Buffer.from(
    `${JSON.stringify({ id: 2, result: { product: 'Čhromium' } })}\0${JSON.stringify({ id: 1, result: {} })}\0`,
  )
  for (const byte of texts) output.write(Buffer.from([byte]))
  expect(await second).toEqual({ product: 'Čhromium' })
  expect(await first).toEqual({})
})

test('what the browser refuses is thrown with its words', async () => {
  const { devTools, say } = pipe()
  const requested = devTools.send('Page.fly')
  say({ id: 1, error: { message: 'no such method' } })
  await expect(requested).rejects.toThrow('no such method')
})

test('events reach the listeners of their session, until they stop', async () => {
  const { devTools, say } = pipe()
  const received: string[] = []
  const stop = devTools.receive('s1', ({ method }) => received.push(method))
  say({ method: 'Page.loaded', sessionId: 's1' })
  say({ method: 'Page.loaded', sessionId: 's2' })
  say({ method: 'Target.crashed' })
  await expect.poll(() => received).toEqual(['Page.loaded'])
  stop()
  say({ method: 'Page.closed', sessionId: 's1' })
  const later = devTools.send('Page.enable')
  say({ id: 1, result: {} })
  await later
  expect(received).toEqual(['Page.loaded'])
})

test.each([
  ['is no JSON', 'nonsense\0'],
  ['never ends', Buffer.alloc(65 * 1_024 * 1_024, 'x')],
])('what %s ends the connection, and every waiting caller is notified', async (_case, said) => {
  const { devTools, output, ends } = pipe()
  const waiting = devTools.send('Page.enable')
  output.write(said)
  await expect(waiting).rejects.toThrow('the browser sent')
  expect(ends).toHaveLength(1)
  await expect(devTools.send('Page.enable')).rejects.toThrow('the browser sent')
})
