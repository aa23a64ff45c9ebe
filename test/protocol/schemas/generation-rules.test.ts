import { describe, expect, test } from 'vitest'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import { chooseVersion } from '../../../src/protocol/releases/choose-version.ts'
import { RELEASES } from '../../../src/protocol/releases/releases.ts'
import { formatIdFault, isAboutFormatId } from '../../../src/protocol/schemas/format-id.ts'
import {
  type AlsoRequired,
  activateSignalRequires,
  buildCreativeRequires,
  changeRequires,
  formatIdRefusal,
  getSignalsRequires,
  NEWER_MEMBERS,
  previewCreativeRequires,
} from '../../../src/protocol/schemas/generation-rules.ts'
import { agent, EVERY_TASK, formatId, key, platform } from './every-task.ts'

const pointers = (rule: AlsoRequired, request: object, level: 'unversioned' | '3.x') =>
  rule(request as Record<string, unknown>, RELEASES.version(level)).map(({ pointer }) => pointer)

test('spec 4.3: an unversioned search needs words, targets and countries', () => {
  expect(pointers(getSignalsRequires, {}, 'unversioned')).toEqual(['/signal_spec', '/deliver_to'])
  expect(pointers(getSignalsRequires, { brief: 'x', deliver_to: {} }, 'unversioned')).toEqual([
    '/deliver_to/deployments',
    '/deliver_to/countries',
  ])
  const whole = { signal_spec: 'x', deliver_to: { deployments: [agent], countries: [] } }
  expect(pointers(getSignalsRequires, whole, 'unversioned')).toEqual([])
  expect(pointers(getSignalsRequires, { ...whole, deliver_to: 7 }, 'unversioned')).toEqual([])
})

test('a 3.x search needs something to look for, unless it lists everything', () => {
  expect(pointers(getSignalsRequires, {}, '3.x')).toEqual(['/signal_spec'])
  expect(pointers(getSignalsRequires, { signal_ids: [] }, '3.x')).toEqual([])
  expect(pointers(getSignalsRequires, { discovery_mode: 'wholesale' }, '3.x')).toEqual([])
  expect(
    pointers(getSignalsRequires, { discovery_mode: 'wholesale', signal_spec: 'x' }, '3.x'),
  ).toEqual(['/signal_spec'])
  expect(
    pointers(getSignalsRequires, { signal_spec: 'x', if_wholesale_feed_version: 'v' }, '3.x'),
  ).toEqual(['/if_wholesale_feed_version'])
  expect(
    pointers(getSignalsRequires, { discovery_mode: 'wholesale', if_pricing_version: 'v' }, '3.x'),
  ).toEqual(['/if_wholesale_feed_version'])
})

test('an activation needs targets under any of their names, and a key from 3.x callers', () => {
  expect(pointers(activateSignalRequires, {}, 'unversioned')).toEqual(['/deployments'])
  expect(pointers(activateSignalRequires, {}, '3.x')).toEqual(['/destinations', '/idempotency_key'])
  for (const targets of [
    { deployments: [agent] },
    { destinations: [agent] },
    { deployments: [agent], destinations: [agent] },
    { deliver_to: { deployments: [agent] } },
  ]) {
    expect(pointers(activateSignalRequires, targets, 'unversioned')).toEqual([])
    expect(pointers(activateSignalRequires, { ...targets, idempotency_key: key }, '3.x')).toEqual(
      [],
    )
  }
  const both = { deployments: [agent], destinations: [platform] }
  expect(pointers(activateSignalRequires, both, 'unversioned')).toEqual(['/destinations'])
})

test('spec 4.2: a build needs a target', () => {
  expect(pointers(buildCreativeRequires, {}, 'unversioned')).toEqual(['/target_format_id'])
  expect(pointers(buildCreativeRequires, { target_format_id: formatId }, 'unversioned')).toEqual([])
  expect(pointers(buildCreativeRequires, { target_format_ids: [formatId] }, '3.x')).toEqual([
    '/idempotency_key',
  ])
})

test('spec 7.3: a registration without operation_id is accepted whatever the version', () => {
  const request = { push_notification_config: { url: 'https://a.example' } }
  expect(pointers(changeRequires, request, 'unversioned')).toEqual([])
  expect(pointers(changeRequires, request, '3.x')).toEqual(['/idempotency_key'])
})

test('spec 4.2: an unversioned single preview needs format_id beside the manifest', () => {
  const single = { request_type: 'single', creative_manifest: { format_id: formatId } }
  expect(pointers(previewCreativeRequires, single, 'unversioned')).toEqual(['/format_id'])
  expect(pointers(previewCreativeRequires, single, '3.x')).toEqual([])
  const whole = { ...single, format_id: formatId }
  expect(pointers(previewCreativeRequires, whole, 'unversioned')).toEqual([])
  const batch = { request_type: 'batch', requests: [single] }
  expect(pointers(previewCreativeRequires, batch, 'unversioned')).toEqual([])
})

test('the first example of each task is unversioned, and newer members make a 3.x call', () => {
  const names = identifiersFor('proto')
  for (const [task, members] of Object.entries(NEWER_MEMBERS)) {
    const [first] = EVERY_TASK[task]?.calls ?? []
    expect(chooseVersion(first ?? {}, names, { newerMembers: members })).toMatchObject({
      version: { level: 'unversioned' },
    })
    expect(chooseVersion({ [members[0]]: 1 }, names, { newerMembers: members })).toMatchObject({
      version: { level: '3.x' },
    })
  }
})

describe('spec 7.1: what is given as a format identifier', () => {
  test.each([
    [undefined, 'missing'],
    [null, 'missing'],
    ['display_300x250', 'not_object'],
    [[formatId], 'not_object'],
    [{}, 'bad_agent_url'],
    [{ id: 'x', agent_url: 'not a url' }, 'bad_agent_url'],
    [{ agent_url: formatId.agent_url }, 'bad_id'],
    [{ ...formatId, id: 'a b' }, 'bad_id'],
    [{ ...formatId, width: 300 }, 'bad_parameters'],
    [formatId, undefined],
    [{ ...formatId, duration_ms: 15_000 }, undefined],
  ])('%j is evaluated as %s', (value, fault) => {
    expect(formatIdFault(value)).toBe(fault)
  })
})

test('a fault of a format identifier has its own code, other faults have not', () => {
  const at = (pointer: string) => [{ pointer, message: 'm', keyword: 'type' }]
  for (const pointer of [
    '/format_id',
    '/target_format_id/agent_url',
    '/target_format_ids/0',
    '/creative_manifest/format_id',
    '/format_ids/3/id',
  ]) {
    expect(isAboutFormatId(pointer)).toBe(true)
    expect(formatIdRefusal(at(pointer))).toBe('INVALID_FORMAT_ID')
  }
  expect(formatIdRefusal(at('/creative_manifest/assets/format_idle'))).toBeUndefined()
  expect(formatIdRefusal([])).toBeUndefined()
})
