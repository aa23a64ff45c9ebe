import { describe, expect, test } from 'vitest'
import { cursorOf } from '../../src/protocol/cursor.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'
import { creative, creativeLibrary, formatId } from './library.ts'

const { newOwner, clock } = creativeLibrary()

async function filled() {
  const owner = newOwner()
  const start = clock.now()
  await owner.sync({
    creatives: [creative('a', { name: 'Apple', tags: ['x', 'y'], concept_id: 'c1' })],
    assignments: { a: ['p1', 'p2'] },
  })
  clock.advance(60_000)
  await owner.sync({
    creatives: [
      creative('b', { name: 'banana', tags: ['y'] }),
      creative('c', {
        name: 'Cherry',
        format_id: formatId('display_image', { width: 300, height: 250 }),
      }),
    ],
  })
  clock.advance(60_000)
  await owner.sync({ creatives: [creative('d', { name: 'Date', status: 'archived' })] })
  return { ...owner, start }
}

const iso = (ms: number) => new Date(ms).toISOString()

describe('filters', () => {
  test('spec 4.5: what is archived is listed only for its status', async () => {
    const { ids } = await filled()
    expect(await ids()).toEqual(['a', 'b', 'c'])
    expect(await ids({ status: 'archived' })).toEqual(['d'])
    expect(await ids({ statuses: ['archived', 'approved'] })).toEqual(['a', 'b', 'c', 'd'])
    expect(await ids({ statuses: ['archived', 'approved'], status: 'approved' })).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  test('spec 2.2: formats are meant by alias and parameters too', async () => {
    const { ids } = await filled()
    expect(await ids({ format_ids: [formatId('display_300x250')] })).toEqual(['a', 'b'])
    expect(
      await ids({ format_ids: [formatId('display_image', { width: 300, height: 250 })] }),
    ).toEqual(['c'])
    expect(await ids({ format_ids: [formatId('display_image', { width: 1, height: 1 })] })).toEqual(
      [],
    )
    expect(await ids({ format_ids: [formatId('nowhere')] })).toEqual([])
  })

  test('spec 4.5: every other filter narrows the list, and they combine', async () => {
    const { ids, start } = await filled()
    expect(await ids({ creative_ids: ['a', 'c', 'z'] })).toEqual(['a', 'c'])
    expect(await ids({ name_contains: 'AN' })).toEqual(['b'])
    expect(await ids({ tags: ['x', 'y'] })).toEqual(['a'])
    expect(await ids({ tags_any: ['x', 'y'] })).toEqual(['a', 'b'])
    expect(await ids({ concept_ids: ['c1'] })).toEqual(['a'])
    expect(await ids({ unassigned: true })).toEqual(['b', 'c'])
    expect(await ids({ unassigned: false })).toEqual(['a'])
    expect(await ids({ media_buy_ids: ['mb_1'] })).toEqual([])
    expect(await ids({ created_after: iso(start) })).toEqual(['b', 'c'])
    expect(await ids({ created_before: iso(start + 1) })).toEqual(['a'])
    expect(await ids({ updated_after: iso(start), updated_before: iso(start + 1) })).toEqual([])
    expect(await ids({ tags_any: ['y'], unassigned: true })).toEqual(['b'])
  })

  test('spec 4.5: no one sees the creatives of another', async () => {
    await filled()
    expect(await newOwner().ids()).toEqual([])
  })
})

describe('an answer', () => {
  test('spec 4.5: sums up all pages, and says what was applied', async () => {
    const { list } = await filled()
    const answer = await list({
      filters: { statuses: ['approved', 'archived'], unheard: 1 },
      pagination: { max_results: 1 },
    })
    expect(answer).toMatchObject({
      query_summary: {
        total_matching: 4,
        returned: 1,
        filters_applied: ['statuses'],
        sort_applied: { field: 'created_date', direction: 'desc' },
      },
      pagination: { has_more: true, cursor: expect.any(String), total_count: 4 },
      format_summary: { display_300x250_image: 3, display_image: 1 },
      status_summary: { approved: 3, archived: 1 },
    })
    expect(answer.creatives.map(({ creative_id }) => creative_id)).toEqual(['d'])
  })

  test('spec 4.5: returns assignments unless the request excludes them', async () => {
    const { list } = await filled()
    const filters = { creative_ids: ['a'] }
    const [displayed] = (await list({ filters })).creatives
    expect(displayed?.assignments).toMatchObject({
      assignment_count: 2,
      assigned_packages: [{ package_id: 'p1' }, { package_id: 'p2' }],
    })
    const [bare] = (await list({ filters, include_assignments: false })).creatives
    expect(bare).not.toHaveProperty('assignments')
    const [none] = (await list({ filters: { creative_ids: ['b'] } })).creatives
    expect(none?.assignments).toEqual({ assignment_count: 0 })
  })

  test('spec 4.5: has only the requested fields, besides those that every creative has', async () => {
    const { list } = await filled()
    const [displayed] = (await list({ filters: { creative_ids: ['a'] }, fields: ['tags'] }))
      .creatives
    expect(Object.keys(displayed ?? {}).sort()).toEqual([
      'created_date',
      'creative_id',
      'format_id',
      'name',
      'status',
      'tags',
      'updated_date',
    ])
  })

  test('spec 4.5: a member that the owner made up cannot pass for one of ours', async () => {
    const { sync, list } = newOwner()
    const made = { created_date: 'never', assignments: { assignment_count: 99 }, own: 1 }
    await sync({ creatives: [creative('a', made)] })
    const [displayed] = (await list()).creatives
    expect(displayed).toMatchObject({ own: 1, assignments: { assignment_count: 0 } })
    expect(Date.parse(displayed?.created_date ?? '')).toBe(clock.now())
  })
})

describe('pages', () => {
  test('spec 4.5: in every order hold each creative once', async () => {
    const { sync, list } = newOwner()
    const names = ['e', 'B', 'a', 'D', 'c', 'a']
    await sync({
      creatives: names.map((name, index) => creative(`id-${index}`, { name })),
      assignments: { 'id-3': ['p1'], 'id-4': ['p1', 'p2'] },
    })
    for (const field of ['created_date', 'updated_date', 'name', 'status', 'assignment_count']) {
      for (const direction of ['asc', 'desc']) {
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const pagination = { max_results: 4, ...(cursor ? { cursor } : {}) }
          const page = await list({ sort: { field, direction }, pagination })
          seen.push(...page.creatives.map(({ creative_id }) => creative_id))
          cursor = page.pagination.cursor
        } while (cursor)
        const whole = await list({ sort: { field, direction } })
        expect(seen).toEqual(whole.creatives.map(({ creative_id }) => creative_id))
        expect(seen).toHaveLength(6)
      }
    }
    const sorted = await list({ sort: { field: 'name', direction: 'asc' } })
    expect(sorted.creatives.map(({ name }) => name)).toEqual(['a', 'a', 'B', 'c', 'D', 'e'])
  })

  test('spec 7: a cursor of another order, or none at all, is refused with its place', async () => {
    const { list } = await filled()
    const { pagination } = await list({ pagination: { max_results: 1 } })
    const refused = async (request: object) => {
      const error = await list(request).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ProtocolError)
      expect((error as ProtocolError).errors[0]).toMatchObject({
        code: 'INVALID_REQUEST',
        field: '/pagination/cursor',
      })
    }
    await refused({ sort: { field: 'name' }, pagination: { cursor: pagination.cursor } })
    await refused({ pagination: { cursor: 'nonsense' } })
    const forged = cursorOf('list_creatives created_date desc', ['x', 'y'])
    await refused({ pagination: { cursor: forged } })
  })
})
