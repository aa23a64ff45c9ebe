import { describe, expect, test } from 'vitest'
import { syncCreatives } from '../../src/creative/sync-creatives.ts'
import { ProtocolError, type TaskError } from '../../src/protocol/errors.ts'
import { inProcessWorkerPool } from '../support/creative.ts'
import { callOf, creative, creativeLibrary, findFormat, formatId } from './library.ts'
import { BANNER } from './manifest-check/manifests.ts'

const { newOwner, clock } = creativeLibrary()

async function refusal(call: Promise<unknown>): Promise<TaskError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ProtocolError)) throw new Error('the call was not refused')
  return error.errors[0]
}

const tooWide = { ...BANNER, banner_image: { ...BANNER.banner_image, width: 301 } }

describe('creatives that fit', () => {
  test('spec 4.5: a new creative is created, and approved at once', async () => {
    const { sync, list } = newOwner()
    const answer = await sync({ creatives: [creative('a', { tags: ['x'], weight: 5 })] })
    expect(answer).toEqual({
      creatives: [{ creative_id: 'a', action: 'created', status: 'approved' }],
    })
    expect((await list()).creatives).toMatchObject([
      { creative_id: 'a', name: 'Creative a', status: 'approved', tags: ['x'], weight: 5 },
    ])
  })

  test('spec 4.5: synced again it is unchanged, and changed it names what changed', async () => {
    const { sync, list } = newOwner()
    await sync({ creatives: [creative('a')] })
    const first = (await list()).creatives[0]
    clock.advance(1_000)
    expect((await sync({ creatives: [creative('a')] })).creatives).toEqual([
      { creative_id: 'a', action: 'unchanged', status: 'approved' },
    ])
    expect((await list()).creatives[0]?.updated_date).toBe(first?.updated_date)
    const changed = creative('a', { name: 'New', tags: ['x'], ext: { a: 1 } })
    expect((await sync({ creatives: [changed] })).creatives).toEqual([
      {
        creative_id: 'a',
        action: 'updated',
        status: 'approved',
        changes: ['name', 'tags', 'ext'],
      },
    ])
    const second = (await list()).creatives[0]
    expect(second?.created_date).toBe(first?.created_date)
    expect(second?.updated_date).not.toBe(first?.updated_date)
  })

  test('spec 2.4: format and assets may be in a manifest, and assets are returned with their type', async () => {
    const { sync, list } = newOwner()
    const { asset_type: _type, ...banner_image } = BANNER.banner_image
    await sync({
      creatives: [
        {
          creative_id: 'a',
          creative_manifest: {
            format_id: formatId('display_300x250_image'),
            assets: { ...BANNER, banner_image },
            brand: { domain: 'acme.example' },
          },
        },
      ],
    })
    expect((await list()).creatives).toMatchObject([
      {
        name: 'a',
        format_id: formatId('display_300x250_image'),
        assets: { banner_image: { asset_type: 'image' } },
        brand: { domain: 'acme.example' },
      },
    ])
  })

  test('spec 2.2: an alias, and another name of this server, are the same format', async () => {
    const { sync } = newOwner()
    const creative_manifest = {
      format_id: { agent_url: 'http://127.0.0.1:8420', id: 'display_300x250_image' },
      assets: BANNER,
    }
    const { assets: _assets, ...rest } = creative('a')
    const one = { ...rest, format_id: formatId('display_300x250'), creative_manifest }
    expect((await sync({ creatives: [one] })).creatives[0]?.action).toBe('created')
    const manifest = { ...creative_manifest, format_id: formatId('display_728x90_image') }
    const error = await refusal(sync({ creatives: [{ ...one, creative_manifest: manifest }] }))
    expect(error.issues).toMatchObject([
      { pointer: '/creatives/0/creative_manifest/format_id', keyword: 'format_id' },
    ])
  })

  test('spec 4.5: the owner may put a creative away, but not decide a review', async () => {
    const { sync } = newOwner()
    const [archived, pending] = (
      await sync({
        creatives: [
          creative('a', { status: 'archived' }),
          creative('b', { status: 'pending_review' }),
        ],
      })
    ).creatives
    expect(archived).toEqual({ creative_id: 'a', action: 'created', status: 'archived' })
    expect(pending).toMatchObject({ status: 'approved', warnings: [expect.any(String)] })
  })

  test('spec 4.5: a suspended creative is not revived by syncing it again', async () => {
    const { owner, sync, library, database } = newOwner()
    await sync({ creatives: [creative('a')] })
    await database().transact(async (tx) => {
      const stored = (await library().lock(tx, owner, ['a'])).get('a')
      if (stored) await library().save(tx, owner, [{ ...stored, status: 'suspended' }])
    })
    expect((await sync({ creatives: [creative('a', { name: 'New' })] })).creatives).toMatchObject([
      { action: 'updated', status: 'suspended', changes: ['name'] },
    ])
  })
})

describe('creatives that do not fit', () => {
  test('spec 7.1: strict, one error refuses the whole call, and every error is reported', async () => {
    const { sync, ids } = newOwner()
    const error = await refusal(
      sync({
        creatives: [
          creative('a'),
          creative('b', { assets: tooWide }),
          creative('c', { format_id: formatId('nowhere') }),
          creative('c'),
        ],
      }),
    )
    expect(error.code).toBe('VALIDATION_ERROR')
    expect(error.issues?.map(({ pointer }) => pointer)).toEqual([
      '/creatives/1/assets/banner_image/width',
      '/creatives/2/format_id',
      '/creatives/3/creative_id',
    ])
    expect(await ids()).toEqual([])
  })

  test('spec 7.1: an unknown format is FORMAT_NOT_SUPPORTED, none is INVALID_FORMAT_ID', async () => {
    const { sync } = newOwner()
    const codeFor = async (over: object) =>
      (await refusal(sync({ creatives: [creative('a', over)] }))).code
    expect(await codeFor({ format_id: formatId('nowhere') })).toBe('FORMAT_NOT_SUPPORTED')
    const foreign = { agent_url: 'https://other.example', id: 'display_300x250_image' }
    expect(await codeFor({ format_id: foreign })).toBe('FORMAT_NOT_SUPPORTED')
    expect(await codeFor({ format_id: undefined })).toBe('INVALID_FORMAT_ID')
  })

  test('spec 4.5: lenient, each creative is answered for itself', async () => {
    const { sync, ids } = newOwner()
    const { creatives } = await sync({
      validation_mode: 'lenient',
      creatives: [
        creative('a', { assets: tooWide }),
        creative('b'),
        creative('c', { format_id: formatId('nowhere') }),
        creative('b', { name: 'Twice' }),
      ],
    })
    expect(creatives.map(({ creative_id, action }) => `${creative_id} ${action}`)).toEqual([
      'a failed',
      'b created',
      'c failed',
      'b failed',
    ])
    expect(creatives[0]?.errors).toMatchObject([
      { code: 'VALIDATION_ERROR', field: '/creatives/0/assets/banner_image/width' },
    ])
    expect(creatives[2]?.errors).toMatchObject([{ code: 'FORMAT_NOT_SUPPORTED' }])
    expect(await ids()).toEqual(['b'])
  })

  test('spec 4.5: a failed change leaves what was there', async () => {
    const { sync, list } = newOwner()
    await sync({ creatives: [creative('a')] })
    await sync({ validation_mode: 'lenient', creatives: [creative('a', { assets: tooWide })] })
    expect((await list()).creatives[0]?.assets).toMatchObject({ banner_image: { width: 300 } })
  })

  test('spec 4.5: assets are given once, and texts that no database can hold are reported', async () => {
    const { sync } = newOwner()
    const error = await refusal(
      sync({
        creatives: [
          creative('a\0', {
            name: 'x',
            tags: ['ok', '\ud800'],
            creative_manifest: { assets: BANNER },
          }),
        ],
      }),
    )
    expect(error.issues?.map(({ pointer }) => pointer)).toEqual([
      '/creatives/0/creative_id',
      '/creatives/0/tags/1',
      '/creatives/0/creative_manifest/assets',
    ])
  })
})

describe('a dry run', () => {
  test('spec 4.5: reports what would happen and changes nothing', async () => {
    const { sync, list, ids } = newOwner()
    await sync({ creatives: [creative('a'), creative('b')] })
    const before = await list()
    const answer = await sync({
      dry_run: true,
      delete_missing: true,
      creatives: [creative('a', { name: 'New' }), creative('c')],
      assignments: [{ creative_id: 'c', package_id: 'p1' }],
    })
    expect(answer).toEqual({
      dry_run: true,
      creatives: [
        { creative_id: 'a', action: 'updated', status: 'approved', changes: ['name'] },
        { creative_id: 'c', action: 'created', status: 'approved', assigned_to: ['p1'] },
        { creative_id: 'b', action: 'deleted', status: 'archived' },
      ],
    })
    expect(await list()).toEqual(before)
    expect(await ids({ status: 'archived' })).toEqual([])
  })
})

describe('creatives that are missing', () => {
  test('spec 4.5: stay without delete_missing, and are archived with it', async () => {
    const { sync, ids } = newOwner()
    await sync({ creatives: [creative('a'), creative('b'), creative('c')] })
    await sync({ creatives: [creative('a')] })
    expect(await ids()).toEqual(['a', 'b', 'c'])
    const { creatives } = await sync({ creatives: [creative('a')], delete_missing: true })
    expect(creatives.filter(({ action }) => action === 'deleted')).toHaveLength(2)
    expect(await ids()).toEqual(['a'])
    expect(await ids({ status: 'archived' })).toEqual(['b', 'c'])
  })

  test('spec 4.5: synced again, an archived creative is back', async () => {
    const { sync } = newOwner()
    await sync({ creatives: [creative('a'), creative('b')] })
    await sync({ creatives: [creative('a')], delete_missing: true })
    expect((await sync({ creatives: [creative('b')] })).creatives).toEqual([
      { creative_id: 'b', action: 'updated', status: 'approved', changes: ['status'] },
    ])
  })

  test('spec 4.5: creative_ids limits what a call touches', async () => {
    const { sync, ids } = newOwner()
    await sync({ creatives: [creative('a'), creative('b'), creative('c')] })
    const { creatives } = await sync({
      creative_ids: ['b', 'd'],
      delete_missing: true,
      creatives: [creative('d'), creative('e', { assets: tooWide })],
    })
    expect(creatives.map(({ creative_id, action }) => `${creative_id} ${action}`)).toEqual([
      'd created',
      'b deleted',
    ])
    expect(await ids()).toEqual(['a', 'c', 'd'])
  })

  test('spec 4.5: creatives of others are not touched', async () => {
    const other = newOwner()
    const { sync } = newOwner()
    await other.sync({ creatives: [creative('theirs')] })
    await sync({ creatives: [creative('a')], delete_missing: true })
    expect(await other.ids()).toEqual(['theirs'])
  })
})

describe('assignments', () => {
  test('spec 4.5: in both forms are kept with the creative, once for each package', async () => {
    const { sync, list } = newOwner()
    await sync({ creatives: [creative('a')] })
    const listed = await sync({
      creatives: [creative('b')],
      assignments: [
        { creative_id: 'a', package_id: 'p1', weight: 60, placement_ids: ['home'] },
        { creative_id: 'b', package_id: 'p1' },
      ],
    })
    expect(listed.creatives).toEqual([
      { creative_id: 'b', action: 'created', status: 'approved', assigned_to: ['p1'] },
      { creative_id: 'a', action: 'unchanged', status: 'approved', assigned_to: ['p1'] },
    ])
    await sync({ creatives: [creative('b')], assignments: { a: ['p1', 'p2'] } })
    const { creatives } = await list({ filters: { creative_ids: ['a'] } })
    expect(creatives[0]?.assignments).toMatchObject({
      assignment_count: 2,
      assigned_packages: [{ package_id: 'p1' }, { package_id: 'p2' }],
    })
  })

  test('spec 7: a creative of someone else looks exactly like one that is not there', async () => {
    const other = newOwner()
    const { sync, ids } = newOwner()
    await other.sync({ creatives: [creative('theirs')] })
    const attempt = (creative_id: string) =>
      refusal(sync({ creatives: [creative('a')], assignments: [{ creative_id, package_id: 'p' }] }))
    const foreign = await attempt('theirs')
    const missing = await attempt('absent')
    expect(foreign.code).toBe('CREATIVE_NOT_FOUND')
    expect(JSON.parse(JSON.stringify(foreign).replaceAll('theirs', 'absent'))).toEqual(missing)
    expect(await ids()).toEqual([])
  })

  test('spec 4.5: lenient, an assignment that cannot be made is reported beside the others', async () => {
    const { sync } = newOwner()
    await sync({ creatives: [creative('old', { status: 'archived' })] })
    const { creatives } = await sync({
      validation_mode: 'lenient',
      creatives: [creative('a')],
      assignments: { a: ['p1'], old: ['p1'], absent: ['p1'], '\ud800': ['p1'] },
    })
    expect(creatives).toMatchObject([
      { creative_id: 'a', action: 'created', assigned_to: ['p1'] },
      { creative_id: 'old', assignment_errors: { p1: expect.stringContaining('archived') } },
      { creative_id: 'absent', action: 'failed', errors: [{ code: 'CREATIVE_NOT_FOUND' }] },
      { action: 'failed', errors: [{ code: 'CREATIVE_NOT_FOUND' }] },
    ])
    expect(creatives[1]).not.toHaveProperty('assigned_to')
  })
})

test('spec 5: without a key there is no library', async () => {
  const { library, database } = newOwner()
  const task = syncCreatives({
    findFormat,
    library: library(),
    transact: (work) => database().transact(work),
    workerPool: inProcessWorkerPool(),
  })
  expect(task.access).toBe('tasks')
  expect((await refusal(task.handle({ creatives: [creative('a')] }, callOf(undefined)))).code).toBe(
    'AUTH_MISSING',
  )
})
