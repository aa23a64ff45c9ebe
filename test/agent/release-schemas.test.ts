// The JSON Schemas of each release (spec 9), read by a strict validator: what one release forbids, another requires.

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { requestSchemaOf, responseSchemaOf } from '../../src/agent/release-schemas.ts'
import { createTaskTable } from '../../src/agent/task-table.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { RELEASES } from '../../src/protocol/releases/releases.ts'
import { constantCost } from '../../src/protocol/task-cost.ts'
import { EVERY_TASK } from '../protocol/schemas/every-task.ts'

const identifiers = identifiersFor('proto')
const CHANGES = ['activate_signal', 'create_media_buy', 'update_media_buy', 'sync_creatives']
const table = createTaskTable(
  Object.entries(EVERY_TASK).map(([name, { request, response }]) => ({
    name,
    summary: name,
    area: 'tasks' as const,
    access: 'tasks' as const,
    changes: CHANGES.includes(name),
    cost: constantCost(1, 'nothing'),
    request,
    response: response as never,
    handle: async () => ({}),
  })),
  identifiers,
)
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

function faults(
  kind: 'request' | 'response',
  task: string,
  { release, body }: { release: string; body: object },
): string[] {
  const entry = table.find(task)
  if (!entry) throw new Error(`there is no ${task}`)
  const options = { releases: RELEASES, identifiers, isClosed: true }
  const schemaOf = kind === 'request' ? requestSchemaOf : responseSchemaOf
  const check = ajv.compile(schemaOf(entry, RELEASES.version(release), options))
  return check(body) ? [] : (check.errors ?? []).map((one) => `${one.instancePath} ${one.message}`)
}

const answerOf = (task: string) => EVERY_TASK[task]?.answer as Record<string, unknown>
const envelope = { status: 'completed', proto_version: '3.1' }

describe('spec 9: a response', () => {
  test.each(Object.keys(EVERY_TASK))(
    'of %s as it should be fits, and one with an unknown member does not',
    (task) => {
      const body = { ...envelope, ...answerOf(task) }
      const isOlder = ['get_signals', 'get_media_buy_delivery'].includes(task)
      const release = isOlder ? 'unversioned' : '3.2'
      expect(faults('response', task, { release, body })).toEqual([])
      const isOpen = task === 'get_agent_capabilities'
      const more = { ...body, not_declared: 1 }
      expect(faults('response', task, { release, body: more })).toHaveLength(isOpen ? 0 : 1)
    },
  )

  test('has a result, a task_id or errors, by its status', () => {
    const of = (body: object) => faults('response', 'create_media_buy', { release: '3.1', body })
    expect(of(envelope)).not.toEqual([])
    expect(of({ ...envelope, status: 'submitted' })).not.toEqual([])
    expect(of({ ...envelope, status: 'submitted', task_id: 't1' })).toEqual([])
    expect(of({ ...envelope, status: 'failed', errors: [] })).not.toEqual([])
    const error = { code: 'INVALID_REQUEST', message: 'no', recovery: 'correctable' }
    const failed = { ...envelope, status: 'failed', errors: [error], proto_error: error }
    expect(of(failed)).toEqual([])
    const pointer = { ...failed, errors: [{ ...error, field: '/packages/0' }] }
    expect(of(pointer)).not.toEqual([])
  })

  test('has the status of the buy in 3.0 alone', () => {
    const body = { ...envelope, ...answerOf('create_media_buy'), status: 'active' }
    const of = (release: string) => faults('response', 'create_media_buy', { release, body })
    expect(of('3.0')).toEqual([])
    expect(of('3.1')).not.toEqual([])
  })

  test('has no member that came with a later release', () => {
    const creative = { supported_formats: [] }
    const body = { ...envelope, ...answerOf('get_agent_capabilities'), creative }
    const of = (release: string) => faults('response', 'get_agent_capabilities', { release, body })
    expect(of('3.0')).toEqual(['/creative/supported_formats boolean schema is false'])
    expect(of('3.1')).toEqual([])
  })
})

describe('spec 9: a request', () => {
  test('that changes something has a key in 3.x', () => {
    const body = {
      signal_agent_segment_id: 's',
      destinations: [{ type: 'platform', platform: 'p' }],
    }
    const of = (release: string) => faults('request', 'activate_signal', { release, body })
    expect(of('unversioned')).toEqual([])
    expect(of('3.0')).toEqual([" must have required property 'idempotency_key'"])
  })

  test('for signals names what it needs in each generation', () => {
    const of = (release: string) =>
      faults('request', 'get_signals', { release, body: { discovery_mode: 'wholesale' } })
    expect(of('3.1')).toEqual([])
    expect(of('unversioned')).not.toEqual([])
  })
})
