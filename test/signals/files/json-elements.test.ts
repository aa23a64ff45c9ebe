import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BrokenFile, MAX_ROW_CHARS } from '../../../src/lib/row-files/broken-file.ts'
import { jsonElements } from '../../../src/signals/files/json-elements.ts'
import { cutAt, gathered } from '../../support/cut-text.ts'

const texts = (...chunks: string[]) => gathered(jsonElements(chunks))

test.each([
  ['[]', []],
  [' [ ] \n', []],
  ['\ufeff[{"a":1}]', ['{"a":1}']],
  ['[{"a":"]},["},"x\\"]",1 ,null,[[]]]', ['{"a":"]},["}', '"x\\"]"', '1', 'null', '[[]]']],
  ['{"signals":[1,2]}', ['1', '2']],
  ['{"version":{"signals":[9]},"note":"{[","signals" : [1] , "more":[2]}', ['1']],
])('%j has the elements %j', async (text, elements) => {
  expect(await texts(text)).toEqual(elements)
})

test('an element that is no JSON does not spoil the others', async () => {
  expect(await texts('[{"a":},tru, ,{"b":1}]')).toEqual(['{"a":}', 'tru', '', '{"b":1}'])
})

test('an element that is too long is passed over', async () => {
  const long = `"${'x'.repeat(MAX_ROW_CHARS)}"`
  const whole = `[1,${long},2]`
  const cuts = Array.from({ length: 20 }, (_, n) => n * 65_536)
  const read = await texts(...cutAt(whole, cuts))
  expect(read.map((text) => text?.length)).toEqual([1, undefined, 1])
})

describe('a file cannot be read on', () => {
  test.each([
    ['', 'is an array'],
    ['"text"', 'is an array'],
    ['{}', 'no member "signals"'],
    ['{"signals":{}}', 'must be an array'],
    ['{"other":[1]}', 'no member "signals"'],
    ['{"other" 1}', 'no member "signals"'],
    ['[1,2', 'in the middle'],
    ['[{"a":1}', 'in the middle'],
    ['[{"a":1} ', 'the end of the file'],
    ['[{"a":"x', 'in the middle'],
    ['[1 2]', 'after element 0'],
    ['[1}', 'after element 0'],
    ['[1] [2]', 'after the array'],
  ])('%j', async (text, message) => {
    await expect(texts(text)).rejects.toThrow(BrokenFile)
    await expect(texts(text)).rejects.toThrow(message)
  })

  test('and what stands before the place has been read', async () => {
    const read: unknown[] = []
    const reading = async () => {
      for await (const text of jsonElements(['[1,{"a":2},{"b"'])) read.push(text)
    }
    await expect(reading()).rejects.toThrow(BrokenFile)
    expect(read).toEqual(['1', '{"a":2}'])
  })
})

test('the elements are those that JSON.parse sees, however the text comes in parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }),
      fc.constantFrom(0, 1),
      fc.boolean(),
      fc.array(fc.nat(120)),
      async (values, indent, isObject, cuts) => {
        const json = JSON.stringify(isObject ? { n: 1, signals: values } : values, null, indent)
        const read = await texts(...cutAt(json, cuts))
        expect(read.map((text) => JSON.parse(text as string))).toEqual(
          JSON.parse(JSON.stringify(values)),
        )
      },
    ),
    { numRuns: 300 },
  )
})
