import fc from 'fast-check'
import { expect, test } from 'vitest'
import { membersFrom, takeFlags, wantedOf } from '../../src/cli/field-flags.ts'
import { type Field, fieldsOf } from '../../src/cli/request-fields.ts'
import { UsageError } from '../../src/cli/terminal.ts'
import { getSignalsRequest } from '../../src/protocol/schemas/get-signals.ts'
import { toJsonSchema } from '../../src/protocol/schemas/json-schema.ts'

const SCHEMA = {
  type: 'object',
  required: ['signal_spec'],
  properties: {
    signal_spec: { type: 'string', description: 'Whom to\u001b[31m reach.' },
    max_results: { type: 'integer' },
    max_cpm: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    is_live: { type: 'boolean' },
    filters: { $ref: '#/$defs/filters' },
    countries: { type: 'array', items: { type: 'string' } },
    deployments: { type: 'array', items: { oneOf: [{ type: 'object' }] } },
    mode: { enum: ['brief', 'wholesale'] },
    account: { type: ['object', 'string'] },
    anything: {},
    'not a flag': { type: 'string' },
  },
  $defs: { filters: { type: 'object' } },
}

const fields = fieldsOf(SCHEMA)

async function read(...words: string[]) {
  const { flags, rest } = takeFlags(words, fields, ['--json', '--wait'])
  return { members: await membersFrom(flags), rest }
}

const fault = (...words: string[]) =>
  read(...words).then(
    () => 'no fault',
    (error: unknown) => (error instanceof UsageError ? error.message : `thrown: ${error}`),
  )

test('members of a request are flags, with what the schema says of them', () => {
  expect(fields.map(({ flag }) => flag)).toEqual([
    '--signal-spec',
    '--max-results',
    '--max-cpm',
    '--is-live',
    '--filters',
    '--countries',
    '--deployments',
    '--mode',
    '--account',
    '--anything',
  ])
  expect(fields[0]).toMatchObject({ about: 'Whom to reach.', isRequired: true })
  expect(fields.map(wantedOf)).toEqual([
    'a text',
    'a whole number',
    'a number',
    'true or false',
    'a JSON object or @file',
    'a text, once for each',
    'a JSON array or @file',
    'one of brief, wholesale',
    'a text or a JSON object or @file',
    'a text or JSON',
  ])
})

test('values are read as the schema has them', async () => {
  const { members, rest } = await read(
    '--signal-spec',
    '42',
    '--max-results',
    '3',
    '--max-cpm=-1.5',
    '--is-live',
    '{"a":1}',
    '--filters',
    '{"max_cpm":5}',
    '--countries',
    'US',
    '--countries',
    'CA',
    '--mode',
    'brief',
    '--deployments',
    '{"type":"platform"}',
    '--account',
    '{"account_id":"a"}',
    '--anything',
    '7',
  )
  expect(members).toEqual({
    signal_spec: '42',
    max_results: 3,
    max_cpm: -1.5,
    is_live: true,
    mode: 'brief',
    filters: { max_cpm: 5 },
    countries: ['US', 'CA'],
    deployments: [{ type: 'platform' }],
    account: { account_id: 'a' },
    anything: 7,
  })
  expect(rest).toEqual(['{"a":1}'])
})

test('other spellings of the same: an array at once, a word for false, the member’s own name', async () => {
  expect((await read('--countries', '["US","CA"]', '--no-is-live')).members).toEqual({
    countries: ['US', 'CA'],
    is_live: false,
  })
  expect((await read('--is_live', 'false', '--account', 'acme')).members).toEqual({
    is_live: false,
    account: 'acme',
  })
})

test('what cannot be read says what would be right', async () => {
  expect(await fault('--signal-spce', 'x')).toBe(
    'the request has no field --signal-spce: did you mean --signal-spec?',
  )
  expect(await fault('--zzzzzzzz')).toMatch(/--help` lists them$/)
  expect(await fault('--max-results', 'many')).toBe(
    '--max-results must be a whole number, not many',
  )
  expect(await fault('--max-results', '1.5')).toBe('--max-results must be a whole number, not 1.5')
  expect(await fault('--signal-spec')).toBe('--signal-spec needs a value: a text')
  expect(await fault('--signal-spec', '--max-results', '1')).toMatch(/needs a value/)
  expect(await fault('--max-results', '1', '--max-results', '2')).toMatch(/given twice/)
  expect(await fault('--filters', 'x')).toBe('--filters must be a JSON object or @file, not x')
  expect(await fault('--filters', '@/no/such/file')).toMatch(/cannot be read from \/no\/such\/file/)
})

test('any text arrives as it was given, and any object', async () => {
  const text = fc.string({ unit: 'binary', minLength: 1 })
  await fc.assert(
    fc.asyncProperty(text, fc.dictionary(fc.string(), fc.jsonValue()), async (given, object) => {
      const json = JSON.stringify(object)
      const { members } = await read(`--signal-spec=${given}`, `--filters=${json}`)
      expect(members).toEqual({ signal_spec: given, filters: JSON.parse(json) })
    }),
  )
})

test('whatever a third party’s schema is, it is read to an end', () => {
  const looping = {
    $ref: '#/$defs/a',
    $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#' }] } },
  }
  expect(fieldsOf(looping)).toEqual([])
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (properties, one) => {
      for (const { flag, kinds } of fieldsOf({ properties, anyOf: [one] }) as Field[]) {
        expect(flag).toMatch(/^--[A-Za-z]/)
        expect(kinds.size).toBeLessThanOrEqual(7)
      }
    }),
  )
})

test('the protocol’s own schemas give flags for every member', () => {
  const own = fieldsOf(toJsonSchema(getSignalsRequest))
  expect(own.map(({ member }) => member)).toEqual(Object.keys(getSignalsRequest.shape))
})
