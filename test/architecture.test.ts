import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { breachesOf, circlesIn, type LayerRule, type Source } from './support/import-rule.ts'

const DOMAIN = [
  'key-discovery',
  'tasks',
  'webhooks',
  'keys',
  'registry',
  'creative',
  'signals',
  'media-buys',
  'agent',
  'sandbox',
  'console',
]
const FOUNDATION = ['lib', 'protocol', 'signing', 'tasks', 'webhooks']

/** Imports point down this table. A module that needs something from above receives it from `app`. */
const LAYERS: Readonly<Record<string, LayerRule>> = {
  lib: { imports: [] },
  protocol: { imports: ['lib'], packages: ['zod'] },
  signing: { imports: ['lib'], packages: [] },
  tasks: { imports: ['lib', 'protocol', 'signing'] },
  'key-discovery': { imports: ['lib', 'protocol', 'signing'], packages: ['jose'] },
  webhooks: { imports: ['lib', 'protocol', 'signing', 'key-discovery'] },
  keys: { imports: ['lib', 'protocol', 'signing'], packages: [] },
  registry: { imports: ['lib', 'protocol'] },
  creative: { imports: FOUNDATION },
  signals: { imports: FOUNDATION },
  'media-buys': { imports: FOUNDATION },
  agent: { imports: [...FOUNDATION, 'registry', 'creative', 'signals', 'media-buys'] },
  sandbox: {
    imports: [...FOUNDATION, 'creative', 'signals', 'media-buys', 'agent'],
  },
  console: {
    imports: ['lib', 'protocol', 'signing', ...DOMAIN.filter((name) => name !== 'console')],
  },
  transports: { imports: ['lib', 'protocol', 'signing', ...DOMAIN] },
  client: { imports: ['lib', 'protocol', 'signing', ...DOMAIN, 'transports'] },
  caller: { imports: ['lib', 'protocol', 'signing', ...DOMAIN, 'transports', 'client'] },
  doctor: {
    imports: ['lib', 'protocol', 'signing', 'key-discovery', 'webhooks', 'transports', 'client'],
  },
  storage: { imports: ['lib', 'protocol'], ports: [...DOMAIN, 'signing', 'transports'] },
  sender: { imports: ['lib', 'protocol', 'signing', 'webhooks', 'storage'] },
  receiver: { imports: ['lib', 'protocol', 'signing', 'key-discovery', 'webhooks', 'storage'] },
  app: {
    imports: [
      'lib',
      'protocol',
      'signing',
      ...DOMAIN,
      'transports',
      'client',
      'caller',
      'doctor',
      'storage',
      'receiver',
    ],
  },
  'index.ts': { imports: ['lib', 'protocol', 'signing', ...DOMAIN, 'transports', 'app'] },
  cli: {
    imports: [
      'lib',
      'protocol',
      'signing',
      ...DOMAIN,
      'transports',
      'client',
      'caller',
      'doctor',
      'app',
    ],
  },
}

/** Two that never import each other, although they live in one layer. */
const STRANGERS = [['webhooks/sender/', 'webhooks/receiver/']] as const

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

const breaches = (...sources: Source[]) => breachesOf(sources, LAYERS, STRANGERS)
const file = (path: string, code: string): Source => ({ path, text: `// What it is.\n\n${code}\n` })

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(SRC + path, 'utf8') }))

test('every file of src/ keeps to the layout', () => {
  expect(sources.length).toBeGreaterThan(50)
  expect(breaches(...sources)).toEqual([])
})

test('no files of src/ import each other in a circle, not even types', () => {
  expect(circlesIn(sources)).toEqual([])
})

test('a circle is found, of two files or of three', () => {
  const a = file('lib/a.ts', "import type { B } from './b.ts'")
  const b = file('lib/b.ts', "import type { C } from './c.ts'")
  expect(circlesIn([a, b, file('lib/c.ts', '')])).toEqual([])
  expect(circlesIn([a, b, file('lib/c.ts', "import { x } from './a.ts'")])).toHaveLength(1)
  expect(circlesIn([a, file('lib/b.ts', "import { x } from './a.ts'")])).toHaveLength(1)
})

const RELEASES = 'protocol/releases/'
/** The names of a release elsewhere, which nothing compares. */
const NAMED_ELSEWHERE = [
  // Versions of VAST.
  "creative/manifest-check/ad-tag.ts '3.0'",
  // The rules of signatures are named after the release that they are of.
  "signing/profile.ts '3.1'",
  "signing/profile.ts '3.2'",
]

/** Where code outside the layer of releases names one or compares what a call speaks. */
function releaseQuestions({ path, text }: Source): string[] {
  if (path.startsWith(RELEASES)) return []
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const names = /['"`]3\.(?:\d+|x)(?:-[\w.]+)?['"`]/g
  const compared =
    /\bversion\??\.(?:release|level|named)\b\s*(?:[!=]==|[<>])|[!=]==\s*\w*\bversion\??\.(?:release|level|named)\b|\batLeast\(|\bgeneration\b\s*[!=]==\s*'(?:unversioned|3)/g
  return [...code.matchAll(names), ...code.matchAll(compared)].map(([found]) => `${path} ${found}`)
}

test('spec 9: nothing outside protocol/releases names or compares releases', () => {
  expect(sources.flatMap(releaseQuestions).sort()).toEqual([...NAMED_ELSEWHERE].sort())
})

test.each([
  "const is = version.release === '3.2'",
  "const is = release === '3.2'",
  'const is = version.release !== other',
  'const is = other === version.level',
  'const is = version?.named !== undefined',
  'const is = version.release < other',
  "if (generation === 'unversioned') return",
  'const is = atLeast(release, newest)',
  "const releases = ['3.3-beta.0']",
])('a release is compared by %j', (code) => {
  expect(releaseQuestions(file('signals/a.ts', code))).not.toEqual([])
  expect(releaseQuestions(file('protocol/releases/a.ts', code))).toEqual([])
})

describe('the layout is broken by', () => {
  test.each([
    ['lib/clock.ts', "import { states } from '../protocol/states.ts'"],
    ['protocol/states.ts', "import { sign } from '../signing/sign.ts'"],
    ['signing/sign.ts', "import type { State } from '../protocol/states.ts'"],
    ['signing/jwks.ts', "import { jwtVerify } from 'jose'"],
    ['protocol/states.ts', "import ky from 'ky'"],
    ['tasks/runner.ts', "import { payload } from '../webhooks/payload.ts'"],
    ['registry/feed.ts', "export { call } from '../agent/call.ts'"],
    ['registry/feed.ts', "import { sql } from '../storage/sql/database.ts'"],
    ['agent/call.ts', "import type { Server } from '../transports/http/server.ts'"],
    ['transports/http/server.ts', "import { serve } from '../../app/main.ts'"],
    ['app/main.ts', "import { fail } from '../cli/terminal.ts'"],
    ['index.ts', "export { openSqlite } from './storage/sqlite/open-sqlite.ts'"],
    ['app/main.ts', "import { createApp } from '../index.ts'"],
    ['cli/lookup.ts', "import { openSqlite } from '../storage/sqlite/open-sqlite.ts'"],
    ['webhooks/sender/worker.ts', "import type { Inbox } from '../receiver/inbox.ts'"],
    ['webhooks/receiver/inbox.ts', "import '../sender/outbox.ts'"],
    [
      'storage/stores/references/feed.ts',
      "import { readFeed } from '../../../registry/read-feed.ts'",
    ],
    ['storage/stores/references/feed.ts', "import * as store from '../../../registry/store.ts'"],
    [
      'storage/stores/references/feed.ts',
      "import {\n  FEED_TOPIC,\n  append,\n} from '../../../registry/feed.ts'",
    ],
    ['storage/stores/references/feed.ts', "const late = await import('../../../registry/feed.ts')"],
    ['lib/clock.ts', "import { now } from './now.js'"],
    ['lib/clock.ts', "import { env } from 'node:process'"],
    ['lib/clock.ts', 'export const zone = process.env.TZ'],
    ['lib/clock.ts', 'const { env } = process'],
    ['lib/clock.ts', 'export default 7'],
    ['helpers/misc.ts', "import { a } from './a.ts'"],
  ])('%s with %j', (path, code) => {
    expect(breaches(file(path, code))).toHaveLength(1)
  })

  test('a file that does not say what it is', () => {
    expect(breaches({ path: 'lib/a.ts', text: 'export const a = 1\n' })).toEqual([
      'lib/a.ts does not begin with a comment',
    ])
  })

  test('a file of more than 400 lines', () => {
    const long = file('lib/a.ts', Array(400).fill('a()').join('\n'))
    expect(breaches(long)).toEqual(['lib/a.ts has 402 lines: at most 400'])
  })
})

test.each([
  [
    'storage/stores/references/feed.ts',
    "import { FEED_TOPIC, type FeedEvent } from '../../../registry/feed.ts'",
  ],
  [
    'storage/stores/references/feed.ts',
    "import type { FeedStore } from '../../../registry/store.ts'",
  ],
  ['app/wire.ts', "import { openStorage } from '../storage/sqlite/open-sqlite.ts'"],
  ['index.ts', "export { createApp } from './app/create-app.ts'"],
  ['app/env.ts', 'export const readEnvironment = () => process.env'],
  ['lib/log.ts', '// process.env is read elsewhere'],
  ['webhooks/sender/worker.ts', "import { payload } from '../payload.ts'"],
  ['cli/main.ts', "import { Command } from 'commander'"],
])('the layout permits %s with %j', (path, code) => {
  expect(breaches(file(path, code))).toEqual([])
})
