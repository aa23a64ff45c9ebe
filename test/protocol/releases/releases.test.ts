import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { taskError } from '../../../src/protocol/errors.ts'
import { atLeast } from '../../../src/protocol/releases/compare.ts'
import type { Feature, Release } from '../../../src/protocol/releases/release.ts'
import { createReleaseTable } from '../../../src/protocol/releases/release-table.ts'
import {
  type FeatureName,
  hasFeature,
  KNOWN_RELEASES,
  RELEASES,
  releaseHas,
} from '../../../src/protocol/releases/releases.ts'

const known: readonly Release[] = KNOWN_RELEASES
const of = (level: string) => RELEASES.version(level)
const featuresOf = (level: string) => [...of(level).features]

test.each([
  ['3.2', '3.2', true],
  ['3.1', '3.2', false],
  ['3.10', '3.2', true],
  ['4.0', '3.2', true],
  ['2.9', '3.0', false],
  ['3.2-beta.5', '3.2', true],
  ['3.2.1', '3.2', true],
  ['3.3-beta.0', '3.2', true],
  ['unversioned', '3.0', false],
  ['3.x', '3.0', false],
  ['3.20x', '3.2', false],
  ['v3.2', '3.2', false],
  ['3.2', 'nothing', false],
])('releases are compared in order: %s is at least %s: %s', (one, other, expected) => {
  expect(atLeast(one, other)).toBe(expected)
})

test('every release has what the one before it has, but for what it removes', () => {
  for (const [index, release] of known.entries()) {
    const before = known[index - 1]
    if (!before) continue
    const { removes = {}, adds, renames = {} } = release
    const left = featuresOf(before.name).filter((name) => !Object.hasOwn(removes, name))
    expect(featuresOf(release.name).sort()).toEqual(
      [...new Set([...left, ...Object.keys(adds), ...Object.keys(renames)])].sort(),
    )
  }
})

test('a release that removes what is not there is refused', () => {
  const odd: Release = { name: '3.3', about: 'x', adds: {}, removes: { nothing: 'x' } }
  expect(() => createReleaseTable([...known, odd])).toThrow('3.3 removes unknown features: nothing')
})

test('a feature of no converter is queried somewhere, and no other name is', () => {
  const src = fileURLToPath(new URL('../../../src/', import.meta.url))
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.startsWith('protocol/releases/'),
  )
  const code = files.map((path) => readFileSync(src + path, 'utf8')).join('\n')
  for (const { adds } of known) {
    for (const [name, feature] of Object.entries<Feature>(adds)) {
      const isConverted = feature.up !== undefined || feature.down !== undefined
      expect([name, isConverted || code.includes(`'${name}'`)]).toEqual([name, true])
    }
  }
})

describe('spec 9: what a caller gets besides the release that it names:', () => {
  const newIn: Record<string, readonly FeatureName[]> = {
    unversioned: ['required_by_the_specification', 'sums_over_buys', 'anonymous_discovery'],
    '3.x': ['paths_in_errors', 'keys_of_changes', 'sums_over_buys', 'anonymous_discovery'],
    '3.0': ['status_of_buys', 'bare_conflicts', 'paths_in_errors', 'sums_over_buys'],
    '3.1': ['restricted_attributes', 'paths_in_errors', 'sums_over_buys'],
    '3.2': ['demographic_predicate', 'restricted_attributes', 'anonymous_discovery'],
  }
  test.each(Object.entries(newIn))('%s', (level, features) => {
    for (const feature of features) expect(hasFeature(of(level), feature)).toBe(true)
  })

  test.each<[string, FeatureName]>([
    ['unversioned', 'paths_in_errors'],
    ['3.x', 'required_by_the_specification'],
    ['3.x', 'status_of_buys'],
    ['3.0', 'anonymous_discovery'],
    ['3.0', 'restricted_attributes'],
    ['3.1', 'status_of_buys'],
    ['3.1', 'demographic_predicate'],
    ['3.2', 'sums_over_buys'],
  ])('%s lacks %s', (level, feature) => {
    expect(hasFeature(of(level), feature)).toBe(false)
  })

  test('a major version alone is answered as 3.1, with what only clients of 3.0 read', () => {
    const version = RELEASES.majorOnly()
    expect(version).toMatchObject({ release: '3.1', named: 'major' })
    for (const feature of ['restricted_attributes', 'status_of_buys', 'bare_conflicts'] as const) {
      expect(hasFeature(version, feature)).toBe(true)
    }
    expect(hasFeature(version, 'demographic_predicate')).toBe(false)
    const newer = createReleaseTable(known, { majorOnly: '3.2' }).majorOnly()
    expect(newer.release).toBe('3.2')
    expect(hasFeature(newer, 'demographic_predicate')).toBe(true)
  })
})

test('a release that another agent names counts as the newest known one before it', () => {
  for (const strict of ['3.2', '3.2.1', '3.2-beta.5', '3.3-beta.0', '3.10', '4.0']) {
    expect(releaseHas(strict, 'strict_signatures')).toBe(true)
  }
  for (const older of ['3.1', '3.0', '2.5', '3', 'nothing']) {
    expect(releaseHas(older, 'strict_signatures')).toBe(false)
  }
})

describe('what goes wrong is reported in the form of the release:', () => {
  const error = taskError('VALIDATION_ERROR', 'too small', { field: '/accounts/1' })
  const { code, message, recovery } = error

  test('spec 7.1: a signal that is not there is a reference that is not found', () => {
    const missing = taskError('SIGNAL_AGENT_SEGMENT_NOT_FOUND', 'no such signal', { field: '/a/0' })
    expect(RELEASES.errorFor(of('unversioned'), missing)).toBe(missing)
    for (const level of ['3.x', '3.0', '3.2']) {
      const expected = { ...missing, code: 'REFERENCE_NOT_FOUND', field: 'a[0]' }
      expect(RELEASES.errorFor(of(level), missing)).toEqual(expected)
    }
  })

  test('spec 9: in 3.0 a key that was used before is reported by code and message alone', () => {
    const conflict = taskError('IDEMPOTENCY_CONFLICT', 'used', { field: '/idempotency_key' })
    const bare = { code: 'IDEMPOTENCY_CONFLICT', message: 'used' }
    expect(RELEASES.errorFor(of('3.0'), conflict)).toEqual(bare)
    expect(RELEASES.errorFor(RELEASES.majorOnly(), conflict)).toEqual(bare)
    for (const level of ['3.x', '3.1', '3.2']) {
      expect(RELEASES.errorFor(of(level), conflict)).toEqual({ ...bare, recovery: 'correctable' })
    }
  })

  test('spec 7.2, 9: rows that failed have paths and recoveries, and nothing else changes', () => {
    const row = { action: 'failed', error: { code, message }, errors: [error] }
    const violations = [{ rule: 'required', field: '/assets/image' }]
    const given = {
      accounts: [{ action: 'created' }, row],
      results: [{ violations }],
      errors: [error],
    }
    const converted = RELEASES.answerFor(of('3.1'), 'sync_accounts', given)
    expect(converted).toEqual({
      accounts: [
        { action: 'created' },
        {
          action: 'failed',
          error: { code, message, recovery },
          errors: [{ ...error, field: 'accounts[1]' }],
        },
      ],
      results: [{ violations: [{ rule: 'required', field: 'assets.image' }] }],
      errors: [{ ...error, field: 'accounts[1]' }],
    })
    expect(given.accounts[1]).toBe(row)
    expect(RELEASES.answerFor(of('3.1'), 'sync_accounts', converted)).toEqual(converted)
    expect(RELEASES.answerFor(of('unversioned'), 'sync_accounts', given)).toBe(given)
  })

  test('spec 9: warnings beside deployments are notes in 3.x, whichever way they are requested', () => {
    const given = { deployments: [{}], errors: [error], ext: { more: 1 } }
    const expected = {
      deployments: [{}],
      ext: { more: 1, activation_notes: [{ ...error, field: 'accounts[1]' }] },
    }
    const converted = RELEASES.answerFor(of('3.2'), 'activate_signal', given)
    expect(converted).toEqual(expected)
    expect(RELEASES.answerFor(of('3.2'), 'activate_signal', converted)).toEqual(expected)
    expect(RELEASES.answerFor(of('3.2'), 'get_signals', given)).toHaveProperty('errors')
    expect(RELEASES.answerFor(of('unversioned'), 'activate_signal', given)).toBe(given)
  })
})
