// Every regular expression of src/ takes time linear in its text: proved by an analyser, and remembered by
// its content, since a proof takes seconds. `ADWIRE_PROVE=1 npx vitest run test/regular-expressions.test.ts`
// proves what is new and writes it down.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Expression, expressionsOf } from './support/expressions.ts'

// The analyser in JavaScript alone, which is the same everywhere.
process.env.RECHECK_BACKEND = 'pure'
const { checkSync } = await import('recheck')

const SRC = fileURLToPath(new URL('../src/', import.meta.url))
const PROVED = fileURLToPath(new URL('./regular-expressions.json', import.meta.url))
const isProving = process.env.ADWIRE_PROVE !== undefined

/** Expressions whose text is bounded otherwise, each with its reason. */
const EXCEPTIONS: readonly { in: string; source?: string; because: string }[] = [
  {
    in: 'signals/matching/language/',
    because:
      'English phrases, sought in a brief of at most 4 000 characters with single blanks, in a thread of ' +
      'the search: test/linear-time.test.ts holds the whole of it to linear time',
  },
  {
    in: 'signals/matching/signal-stage.ts',
    because: 'the same, in the name of a signal, of at most 500 characters',
  },
  {
    in: 'signals/matching/question.ts',
    because: 'the same, in one intent of such a brief, of at most 400 characters',
  },
  {
    in: 'storage/sql/migrate.ts',
    source: '^\\s*--.*$',
    because: 'the migrations, which are our own files',
  },
  {
    in: 'creative/manifest-check/text.ts',
    source: 'new RegExp(pattern, flags)',
    because:
      'the pattern is an operator’s own, on a text of at most 10 000 characters, in a process that is ' +
      'ended when it takes too long',
  },
]

const isException = ({ path, source }: Expression) =>
  EXCEPTIONS.some((one) => path.startsWith(one.in) && (one.source ?? source) === source)

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(SRC + path, 'utf8') }))
const found = sources.flatMap(expressionsOf)
const checked = found.filter((one) => !isException(one))
const proved = new Set(JSON.parse(readFileSync(PROVED, 'utf8')) as string[])

/** Equal for expressions that take the same time. */
const keyOf = ({ source, flags = '' }: Expression) =>
  createHash('sha256').update(`${source} ${flags}`).digest('hex').slice(0, 16)

/** Undefined when it is linear. */
function faultOf({ source, flags = '' }: Pick<Expression, 'source' | 'flags'>): string | undefined {
  // Whatever the case of the text, it takes as long as the same text in lower case, which is checked sooner.
  const isFolded = flags.includes('i') && !/[uv]/.test(flags)
  const [pattern, checkedFlags] = isFolded
    ? [inSmall(source), flags.replace('i', '')]
    : [source, flags]
  const verdict = checkSync(pattern, checkedFlags, { timeout: 60_000, randomSeed: 1 })
  if (verdict.status === 'safe') return undefined
  return verdict.status === 'vulnerable' ? verdict.complexity.summary : 'it could not be judged'
}

/** With literal letters in lower case, and escapes unchanged. */
function inSmall(source: string): string {
  const piece =
    /\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\.|[^\\]+/gsu
  return source.replace(piece, (text) => (text.startsWith('\\') ? text : text.toLowerCase()))
}

test('there are expressions in src/, and each that is built is listed', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(checked.length).toBeGreaterThan(300)
  const built = checked.filter(({ flags }) => flags === undefined)
  expect(built.map(({ path, line, source }) => `${path}:${line} ${source}`)).toEqual([])
})

test('every exception is still there', () => {
  for (const { in: path, source } of EXCEPTIONS) {
    const some = found.filter((one) => one.path.startsWith(path))
    expect(
      some.some((one) => (source ?? one.source) === one.source),
      path,
    ).toBe(true)
  }
})

test('every expression is linear', { timeout: 3_600_000 }, () => {
  const slow: string[] = []
  for (const one of new Map(checked.map((each) => [keyOf(each), each])).values()) {
    if (one.flags === undefined || proved.has(keyOf(one))) continue
    const fault = faultOf(one)
    if (fault === undefined) proved.add(keyOf(one))
    else slow.push(`${one.path}:${one.line} /${one.source}/${one.flags}: ${fault}`)
    if (isProving) console.log(`${one.path}:${one.line} ${fault ?? 'linear'}`)
  }
  const used = new Set(checked.map(keyOf))
  const kept = [...proved].filter((key) => used.has(key)).sort()
  if (isProving) writeFileSync(PROVED, `${JSON.stringify(kept, null, 2)}\n`)
  expect(slow).toEqual([])
})

test('what was proved is proved again, some of it in each run', () => {
  const quick = checked.filter(({ source, flags }) => flags === '' && source.length < 25)
  const some = quick.filter((_, index) => index % Math.ceil(quick.length / 12) === 0)
  expect(some.length).toBeGreaterThan(8)
  for (const one of some) expect(faultOf(one), one.source).toBeUndefined()
})

describe('the analyser finds', () => {
  test.each([
    ['^\\uFEFF?\\s*(?:<!--[\\s\\S]*?-->\\s*)*<svg[\\s>]', '', 'exponential'],
    ['use\\s[^>]*href', '', '2nd degree polynomial'],
    ['[).,;:!?\\]]+$', '', '2nd degree polynomial'],
    ['\\{[\\s\\S]*\\}', '', '2nd degree polynomial'],
    ['(A|A)+$', 'i', 'exponential'],
  ])('/%s/%s to be %s', (source, flags, fault) => {
    expect(faultOf({ source, flags })).toContain(fault)
  })
})
