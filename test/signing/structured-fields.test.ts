import { describe, expect, test } from 'vitest'
import {
  OTHER,
  quote,
  readByteSequence,
  readDictionary,
  readInnerList,
} from '../../src/signing/structured-fields.ts'

describe('a dictionary', () => {
  test('keeps the text of each member', () => {
    const read = readDictionary(' a=(  "x" y;p );q="\\"," ,\tb=:AA==:;z,c;d=1.5, e, f=?0, *g=-12 ')
    expect(read.ok && [...read.members]).toEqual([
      ['a', '(  "x" y;p );q="\\","'],
      ['b', ':AA==:;z'],
      ['c', ';d=1.5'],
      ['e', ''],
      ['f', '?0'],
      ['*g', '-12'],
    ])
  })

  test.each([
    ['', 'nothing'],
    [',a', 'a leading comma'],
    ['a,', 'a trailing comma'],
    ['a,,b', 'two commas'],
    ['a b', 'no comma'],
    ['a=1, a=2', 'a label twice'],
    ['A=1', 'a label in upper case'],
    ['1=1', 'a label that begins with a digit'],
    ['a=', 'no value'],
    ['a =1', 'a space before the value'],
    ['a= 1', 'a space in front of the value'],
    ['a=(', 'a list that stays open'],
    ['a=("x""y")', 'no space between items'],
    ['a=("x"\t"y")', 'a tab between items'],
    ['a="x', 'a string that stays open'],
    ['a="\\x"', 'a needless escape'],
    ['a="é"', 'a string outside ASCII'],
    ['a="\n"', 'a line break'],
    ['a=:AA', 'bytes that stay open'],
    ['a=1234567890123456', 'too many digits'],
    ['a=1.2345', 'too many decimals'],
    ['a=1.', 'no decimals'],
    ['a=?2', 'a boolean that is none'],
    ['a;=1', 'a parameter without a name'],
    ['a;b=', 'a parameter without a value'],
    ['a;\tb', 'a tab before a parameter'],
    [`a=${'x'.repeat(20_000)}`, 'too much'],
  ])('%j is refused: %s', (text) => {
    expect(readDictionary(text).ok).toBe(false)
  })
})

describe('an inner list', () => {
  test('has strings, and parameters with their types', () => {
    const read = readInnerList('("a" "b\\"c");n=-5;s="x\\\\y";d=1.0;t=tok;f; g=:AA:')
    expect(read.ok && read.items).toEqual(['a', 'b"c'])
    expect(read.ok && Object.fromEntries(read.parameters)).toEqual({
      n: -5,
      s: 'x\\y',
      d: OTHER,
      t: OTHER,
      f: OTHER,
      g: OTHER,
    })
  })

  test.each([
    'a',
    '"a"',
    '("a"',
    '("a";req)',
    '("a" b)',
    '("a")x',
    '("a");n=1;n=1',
    '("a");N=1',
    '("a");n=',
    '("a") ;n=1',
  ])('%s is refused', (text) => {
    expect(readInnerList(text).ok).toBe(false)
  })

  test('may be empty', () => {
    expect(readInnerList('( )')).toMatchObject({ ok: true, items: [] })
  })
})

test('a byte sequence is what stands between two colons', () => {
  expect(readByteSequence(':AA==:')).toBe('AA==')
  expect(readByteSequence('::;a=1')).toBe('')
  for (const text of ['', 'AA==', ':AA', ':AA: ', ':A:A:', '"AA"']) {
    expect(readByteSequence(text)).toBeUndefined()
  }
})

test('a string is quoted so that it is read as it was', () => {
  expect(quote('a"b\\c')).toBe('"a\\"b\\\\c"')
  expect(quote('a\n')).toBeUndefined()
  expect(quote('é')).toBeUndefined()
})
