// What a caller may get wrong, by accident or to see what happens: a right request, changed at some
// places. The outcome is JSON text, since some of it no object literal can hold.

import fc from 'fast-check'

/** Stand in the text for what is too large to be printed when a test fails; see `spelledOut`. */
const MARKS: Readonly<Record<string, () => string>> = {
  '"<huge>"': () => `"${'x'.repeat(20_000)}"`,
  '"<enormous>"': () => `"${'é'.repeat(100_000)}"`,
  '"<deep list>"': () => `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  '"<deep object>"': () => `${'{"a":'.repeat(6_000)}1${'}'.repeat(6_000)}`,
}

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '0',
  [],
  {},
  [[]],
  [null],
  '\u0000',
  '\ud800',
  '👩‍👩‍👧',
  'ＡＢＣ',
  '\u202e',
  '../../etc/passwd',
  "' OR 1=1 --",
  '{{7*7}}',
  'toString',
  '__proto__',
  '3.1',
  '2.0',
  'https://[::1]',
  'javascript:alert(1)',
  ...Object.keys(MARKS).map((mark) => JSON.parse(mark) as unknown),
]

const ODD_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  '',
  '\u0000',
  'é',
  '0',
  'status',
  'errors',
  'context',
  'context_id',
  'replayed',
  'task_id',
  'proto_version',
  'proto_major_version',
  'idempotency_key',
  'push_notification_config',
  'ext',
]

const KEYS = ['key-0123456789abcdef', 'key-0123456789abcdeg']

type Change =
  | { kind: 'drop'; at: number }
  | { kind: 'replace'; at: number; value: unknown }
  | { kind: 'wrap'; at: number }
  | { kind: 'add'; at: number; name: string; value: unknown }
  | { kind: 'key'; key: string }

/** Texts of requests: some as they came, most changed, and a few that never were requests. */
export function mutated(requests: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const right = requests.map((request) => JSON.stringify(request))
  const changed = fc
    .tuple(requests, fc.array(changes(), { minLength: 1, maxLength: 3 }))
    .map(([request, list]) => JSON.stringify(list.reduce(apply, { request }).request))
  const other = oddValues().map((value) => JSON.stringify(value))
  return fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 12, arbitrary: changed },
    { weight: 1, arbitrary: other },
  )
}

/** The text with its marks replaced by what they represent. */
export function spelledOut(text: string): string {
  return Object.entries(MARKS).reduce(
    (soFar, [mark, make]) => (soFar.includes(mark) ? soFar.replaceAll(mark, make()) : soFar),
    text,
  )
}

function oddValues(): fc.Arbitrary<unknown> {
  return fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue({ maxDepth: 2 }))
}

function changes(): fc.Arbitrary<Change> {
  const at = fc.nat()
  const kind = <K extends Change['kind']>(name: K) => fc.constant(name)
  return fc.oneof(
    fc.record({ kind: kind('drop'), at }),
    fc.record({ kind: kind('replace'), at, value: oddValues() }),
    fc.record({ kind: kind('wrap'), at }),
    fc.record({ kind: kind('add'), at, name: fc.constantFrom(...ODD_NAMES), value: oddValues() }),
    fc.record({ kind: kind('key'), key: fc.constantFrom(...KEYS) }),
  )
}

interface Root {
  request: unknown
}

/** Changes a copy, at the place that the number happens to mean. */
function apply(root: Root, change: Change): Root {
  const copy = structuredClone(root)
  if (change.kind === 'key') {
    if (isContainer(copy.request)) set(copy.request, 'idempotency_key', change.key)
    return copy
  }
  const places = placesIn(copy)
  const place = places[change.at % places.length]
  if (!place) return copy
  const { holder, name } = place
  const value = holder[name]
  if (change.kind === 'replace') set(holder, name, change.value)
  else if (change.kind === 'wrap') set(holder, name, [value])
  else if (change.kind === 'add' && isContainer(value)) set(value, change.name, change.value)
  else if (change.kind === 'drop' && holder !== (copy as unknown)) delete holder[name]
  return copy
}

type Container = Record<string, unknown>

function placesIn(holder: object): { holder: Container; name: string }[] {
  return Object.entries(holder).flatMap(([name, value]) => [
    { holder: holder as Container, name },
    ...(isContainer(value) ? placesIn(value) : []),
  ])
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

/** Also where the name is `__proto__`, which an assignment would not make a member. */
function set(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}
