import { describe, expect, test } from 'vitest'
import { ProtocolError, type TaskError } from '../../src/protocol/errors.ts'
import { NO_LIMITS } from '../../src/protocol/quota.ts'
import { creative, creativeLibrary } from './library.ts'

const { newOwner } = creativeLibrary()
const creatives = (...ids: string[]) => ids.map((id) => creative(id))

async function refusal(call: Promise<unknown>): Promise<TaskError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ProtocolError)) throw new Error('the call was not refused')
  return error.errors[0]
}

describe('a library that is full', () => {
  test('spec 4.5: takes nothing new, all or nothing, and says what helps', async () => {
    const { sync, ids } = newOwner({ ...NO_LIMITS, creatives: 2 })
    await sync({ creatives: creatives('a') })
    const refused = await refusal(sync({ creatives: creatives('b', 'c') }))
    expect(refused).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message: expect.stringContaining('1 of 2 creatives have no room, so none was synced'),
      suggestion: expect.stringContaining('ask the operator to raise the limit'),
      details: { quota: 'creatives', limit: 2, used: 2 },
    })
    expect(await ids()).toEqual(['a'])
  })

  test('in lenient mode takes what there is room for, in the order it was sent', async () => {
    const { sync, ids } = newOwner({ ...NO_LIMITS, creatives: 2 })
    const answer = await sync({ validation_mode: 'lenient', creatives: creatives('c', 'b', 'a') })
    expect(answer.creatives.map(({ action, errors }) => [action, errors?.[0]?.code])).toEqual([
      ['created', undefined],
      ['created', undefined],
      ['failed', 'QUOTA_EXCEEDED'],
    ])
    expect(await ids()).toEqual(['b', 'c'])
  })

  test('still takes changes of what it has, and archived ones count', async () => {
    const { sync } = newOwner({ ...NO_LIMITS, creatives: 2 })
    await sync({ creatives: [...creatives('a'), creative('b', { status: 'archived' })] })
    const changed = await sync({ creatives: [creative('b', { name: 'Another' })] })
    expect(changed.creatives).toMatchObject([{ action: 'updated', status: 'approved' }])
    expect((await refusal(sync({ creatives: creatives('c') }))).code).toBe('QUOTA_EXCEEDED')
  })

  test('a dry run says the same and changes nothing', async () => {
    const { sync, ids } = newOwner({ ...NO_LIMITS, creatives: 1 })
    const request = { dry_run: true, validation_mode: 'lenient', creatives: creatives('a', 'b') }
    expect((await sync(request)).creatives.map(({ action }) => action)).toEqual([
      'created',
      'failed',
    ])
    expect(await ids()).toEqual([])
  })

  test('of bytes takes what makes it smaller', async () => {
    const large = (id: string, length: number) =>
      creative(id, { ext: { note: 'x'.repeat(length) } })
    const { sync } = newOwner({ ...NO_LIMITS, creative_bytes: 5_000 })
    await sync({ creatives: [large('a', 3_500)] })
    expect(await refusal(sync({ creatives: [large('b', 3_500)] }))).toMatchObject({
      details: { quota: 'creative_bytes', limit: 5_000, used: expect.any(Number) },
    })
    await sync({ creatives: [large('a', 10)] })
    await sync({ creatives: [large('b', 3_500)] })
  })
})

test('spec 4.5: a creative is assigned to a limited number of packages, and again to those it has', async () => {
  const { sync } = newOwner({ ...NO_LIMITS, assignments: 2 })
  const assign = (...packages: string[]) =>
    sync({ creatives: creatives('a'), assignments: { a: packages } })
  await assign('p1', 'p2')
  await assign('p2', 'p1')
  expect(await refusal(assign('p2', 'p3'))).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    message: expect.stringContaining('2 of at most 2 assignments of one creative'),
    field: '/assignments/a/1',
  })
  const lenient = await sync({
    validation_mode: 'lenient',
    creatives: creatives('a', 'b'),
    assignments: { a: ['p3'], b: ['p1', 'p2', 'p3'] },
  })
  expect(lenient.creatives).toMatchObject([
    { creative_id: 'a', assignment_errors: { p3: expect.stringContaining('at most 2') } },
    { creative_id: 'b', assigned_to: ['p1', 'p2'], assignment_errors: { p3: expect.any(String) } },
  ])
})
