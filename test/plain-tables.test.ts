import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { plainLookups } from './support/plain-tables.ts'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

/** Look-ups that may stay, by why they may. */
const ALLOWED: Readonly<Record<'own' | 'pattern' | 'catalogue' | 'list', readonly string[]>> = {
  // The name is the program's own: a constant, a setting, a column, a member that a task knows.
  own: [
    'app/config.ts environment[env]',
    'app/make-config.ts environment[env]',
    'app/config.ts environment[setting.env]',
    'app/config.ts values[key]',
    'cli/impairments.ts FLAGS[read.field]',
    'cli/settings-options.ts options[key]',
    'creative/brand/brand-context.ts members[member]',
    'creative/format-file.ts own[member]',
    'creative/manifest-check/ad-tag.ts asset[KINDS[kind]',
    'creative/manifest-check/ad-tag.ts asset[versionMember]',
    'creative/manifest-check/check-asset.ts asset[member]',
    'creative/manifest-check/media.ts asset[member]',
    'creative/manifest-check/offerings.ts asset[member]',
    'creative/manifest-check/sizes.ts asset[side]',
    'protocol/schemas/generation-rules.ts request[member]',
    'protocol/schemas/compact/control-media-buy.ts given[member]',
    'registry/catalog/sync-publisher.ts after[name]',
    'registry/catalog/sync-publisher.ts before[name]',
    'registry/replica/digest.ts body[name]',
    'protocol/adagents/create-file.ts parts[name]',
    'lib/defined.ts kept[key]',
    'protocol/schemas/request-notes.ts object[name]',
    'protocol/releases/choose-version.ts request[majorVersionMember]',
    'protocol/releases/choose-version.ts request[member]',
    'protocol/releases/choose-version.ts request[versionMember]',
    'registry/directory/search-agents.ts search[name]',
    'registry/parse-organization.ts wanted[field as keyof typeof CHOICES]',
    'registry/read-feed.ts raw[name]',
    'sandbox/seeds.ts fixture[member]',
    'signals/files/json-elements.ts asyncIterator in chunks',
    'signals/read-signal.ts row[member]',
    'storage/move/rows.ts row[column]',
    'storage/stores/catalog/catalog.ts property[name]',
    'storage/stores/references/list.ts row[column]',
    'storage/sql/nulls.ts kept[key]',
    'transports/client-answer.ts body[named]',
    'transports/http/preview-routes.ts query[ROLE]',
    'transports/http/task-life-routes.ts query[name]',
    'transports/mcp/revisions.ts meta[CLIENT_CAPABILITIES_META]',
    'transports/mcp/revisions.ts meta[CLIENT_INFO_META]',
    'transports/mcp/revisions.ts meta[REVISION_META]',
    'webhooks/receiver/classify.ts members[time]',
    'webhooks/receiver/extract.ts body[wrapper]',
  ],
  // A pattern or a table has let the name through, and it lets through no name that objects have.
  pattern: [
    'cli/arguments.ts UNIT_MS[unit]',
    'creative/build-steps/read-instructions.ts COLOURS[word]',
    'creative/macros/substitute-macros.ts MARKUP[character]',
    'creative/manifest-check/ad-tag-xml.ts ENTITIES[entity]',
    'creative/rendering/fetch-tag.ts kept[given]',
    'creative/rendering/read-tag.ts ENTITIES[name]',
    'signals/files/csv-cells.ts row[name]',
    'signals/matching/language/understand-spec.ts IN_FULL[end.toLowerCase()]',
  ],
  // The name comes from the formats or the settings of the operator.
  catalogue: [
    'app/open-connectors.ts platforms[platform]',
    'app/open-encoder.ts environment[name]',
    'creative/build-steps/draw-creative.ts assets[name]',
    "creative/pictures/encode-image.ts TYPE_NAMES[name.toLowerCase().replace(/^image\\//, '')]",
    'creative/build-steps/fill-slot.ts role in texts',
    'creative/build-steps/fill-slot.ts texts[role as keyof typeof texts]',
    'creative/build-steps/plan-build.ts CANNOT_BE_MADE[slot.type]',
  ],
  // A list, or words of a pattern.
  list: [
    'signals/matching/language/read-brief.ts get in front',
    'webhooks/receiver/delivery.ts headers[at + 1]',
    'webhooks/receiver/delivery.ts headers[at]',
  ],
}

test('nothing in src/ looks up a name from outside in a plain object', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const found = files.flatMap((path) =>
    plainLookups({ path, text: readFileSync(SRC + path, 'utf8') }),
  )
  const allowed = new Set(Object.values(ALLOWED).flat())
  expect(found.filter((lookup) => !allowed.has(lookup))).toEqual([])
})

const lookups = (text: string) => plainLookups({ path: 'a.ts', text })

test.each([
  ['a table', 'const T: Record<string, number> = { a: 1 }\nf(T[name])', 'T[name]'],
  ['a read-only table', 'const T: Readonly<Record<string, X>> = {}\nreturn T[a.b]', 'T[a.b]'],
  ['an argument', 'function f(all: Record<string, X>) {\n  return all?.[key]\n}', 'all[key]'],
  ['what is added to', 'const sums: Record<string, number> = {}\nsums[name] = 1', 'sums[name]'],
  ['an alias', 'type T = Readonly<Record<string, X>>\nf(all: T) { all[key] }', 'all[key]'],
  ['a cast', 'const v = TABLE[word as keyof typeof TABLE]', 'TABLE[word as keyof typeof TABLE]'],
  ['a membership', 'if (name in TABLE) return', 'name in TABLE'],
])('%s is found', (_what, text, found) => {
  expect(lookups(text)).toEqual([`a.ts ${found}`])
})

test.each([
  ['a name in the program', "const T: Record<string, X> = {}\nT['a']"],
  ['a question before', 'const T: Record<string, X> = {}\nObject.hasOwn(T, name) ? T[name] : 0'],
  ['a Map', 'const T: ReadonlyMap<string, X> = new Map()\nT.get(name)'],
  ['a closed list of names', 'const T: Record<Code, X> = {}\nT[code]'],
  ['a loop', 'for (const name in all) f(name)'],
  ['a comment', '// const T: Record<string, X>\n/* T[name] */'],
])('%s is let through', (_what, text) => {
  expect(lookups(text)).toEqual([])
})
