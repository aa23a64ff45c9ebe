import { expect, test } from 'vitest'
import { careForGenerator } from '../../src/app/own-generator.ts'
import type { Generator, ImageRequest, TextOptions } from '../../src/creative/model/generator.ts'

const WISH: TextOptions = { brand: {}, limits: { headline: 9, description: 9, call_to_action: 9 } }
const PICTURE: ImageRequest = { prompt: 'a boot', width: 10, height: 10 }
const TEXTS = { headline: 'a', description: 'b', call_to_action: 'c' }

function cared(generator: Generator) {
  const received: unknown[] = []
  const onFault = (error: unknown) => received.push(error)
  return { received, generator: careForGenerator(generator, { onFault }) }
}
const going = () => new AbortController().signal

test('good answers pass, and what it cannot do it still cannot', async () => {
  const { generator, received } = cared({ text: async () => TEXTS })
  expect(await generator.text?.(WISH, going())).toEqual(TEXTS)
  expect(generator.image).toBeUndefined()
  expect(received).toEqual([])
})

test('it is called as a method, so that a class can be one', async () => {
  class Own implements Generator {
    readonly bytes = Buffer.from('PNG')
    async image() {
      return this.bytes
    }
  }
  expect(await cared(new Own()).generator.image?.(PICTURE, going())).toEqual(Buffer.from('PNG'))
})

test('an error it throws, or an invalid result, counts as no result, and is reported', async () => {
  const wrong = { headline: 7 } as unknown as typeof TEXTS
  const { generator, received } = cared({
    text: async () => wrong,
    image: () => {
      throw new Error('broken')
    },
  })
  expect(await generator.text?.(WISH, going())).toBeUndefined()
  expect(await generator.image?.(PICTURE, going())).toBeUndefined()
  expect(received.map(String)).toEqual([
    'TypeError: the generator returned something other than what was requested',
    'Error: broken',
  ])
})

test('one that does not listen to its signal is not waited for', async () => {
  const leaving = new AbortController()
  const { generator, received } = cared({ text: () => new Promise(() => {}) })
  const requested = generator.text?.(WISH, leaving.signal)
  leaving.abort(new Error('nobody waits any more'))
  expect(await requested).toBeUndefined()
  expect(received.map(String)).toEqual(['Error: nobody waits any more'])
})
