import { describe, expect, test } from 'vitest'
import { validateInput } from '../../src/creative/validate-input.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'
import {
  validateInputRequest,
  validateInputResponse,
} from '../../src/protocol/schemas/validate-input.ts'
import { catalogue, inProcessWorkerPool } from '../support/creative.ts'
import { callOf, findFormat, formatId } from './library.ts'
import { AGENT, BANNER, bannerManifest } from './manifest-check/manifests.ts'

const task = validateInput({
  catalogue: catalogue(),
  findFormat,
  publicUrl: () => AGENT,
  workerPool: inProcessWorkerPool(),
})

async function validate(request: object) {
  const answer = await task.handle(validateInputRequest.parse(request), callOf('prn_1'))
  return validateInputResponse.parse(answer).results
}

async function refusal(request: object) {
  const error = await validate(request).catch((thrown: unknown) => thrown)
  if (!(error instanceof ProtocolError)) throw new Error('the call was not refused')
  return error.errors[0]
}

const kindsOf = async (request: object) =>
  (await validate(request)).map(({ result_kind }) => result_kind)

describe('without targets', () => {
  test('spec 2.4: a manifest is checked by its own format', async () => {
    expect(await validate({ manifest: bannerManifest() })).toEqual([
      {
        target: { kind: 'third_party_format', id: formatId('display_300x250_image') },
        ok: true,
        result_kind: 'validated_pass',
      },
    ])
  })

  test('spec 7.1: every error is reported with its place, what is required and what is there', async () => {
    const manifest = bannerManifest({
      banner_image: { ...BANNER.banner_image, width: 1 },
      click_url: { url: 'javascript:alert(1)' },
    })
    const [result] = await validate({ manifest })
    expect(result).toMatchObject({
      ok: false,
      result_kind: 'validated_fail',
      violations: [
        { rule: 'width', field: '/assets/banner_image/width', expected: 300, predicted: 1 },
        { rule: 'url', field: '/assets/click_url/url', message: expect.any(String) },
      ],
    })
  })

  test('spec 7.1: no format is INVALID_FORMAT_ID, an unknown one FORMAT_NOT_SUPPORTED', async () => {
    expect(await refusal({ manifest: { assets: {} } })).toMatchObject({
      code: 'INVALID_FORMAT_ID',
      field: '/manifest/format_id',
    })
    const foreign = { agent_url: 'https://other.example', id: 'display_300x250_image' }
    for (const format_id of [formatId('nowhere'), foreign]) {
      expect(await refusal({ manifest: { format_id, assets: {} } })).toMatchObject({
        code: 'FORMAT_NOT_SUPPORTED',
        field: '/manifest/format_id',
      })
    }
    const format_id = formatId('display_300x250_image', { width: 1, height: 1 })
    expect((await refusal({ manifest: { format_id, assets: {} } })).code).toBe('INVALID_FORMAT_ID')
  })

  test('spec 2.2: an alias names the same format', async () => {
    const manifest = { ...bannerManifest(), format_id: formatId('display_300x250') }
    expect(await kindsOf({ manifest })).toEqual(['validated_pass'])
  })
})

describe('with targets', () => {
  test('spec 4.2: each is answered for itself and in order, whatever the manifest is for', async () => {
    const results = await validate({
      manifest: bannerManifest(),
      targets: [
        { kind: 'canonical', id: 'display_300x250_image' },
        { kind: 'third_party_format', id: formatId('display_728x90_image') },
        { kind: 'third_party_format', id: formatId('nowhere') },
        { kind: 'product', id: 'prod_1' },
      ],
    })
    expect(results.map(({ ok }) => ok)).toEqual([true, false, false, false])
    expect(results[1]?.violations?.map(({ rule }) => rule)).toEqual(['width', 'height'])
    expect(results[2]?.violations).toMatchObject([{ rule: 'known_format', field: '' }])
    expect(results[3]?.violations).toMatchObject([{ rule: 'known_product', field: '' }])
  })

  test('spec 4.2: formats and products may be named by members of their own', async () => {
    const manifest = bannerManifest()
    const format_ids = ['display_300x250_image', formatId('display_728x90_image')]
    expect(await kindsOf({ manifest, format_ids, product_ids: ['p'] })).toEqual([
      'validated_pass',
      'validated_fail',
      'validated_fail',
    ])
  })

  test('spec 2.4: the brand of the request counts for a generative format', async () => {
    const manifest = { assets: { generation_prompt: { content: 'Sell' } } }
    const format_ids = ['display_300x250_generative']
    expect(await kindsOf({ manifest, format_ids })).toEqual(['validated_fail'])
    const brand = { domain: 'acme.example' }
    expect(await kindsOf({ manifest, format_ids, brand })).toEqual(['validated_pass'])
  })
})

test('spec 5: it changes nothing, and needs a key', () => {
  expect(task).toMatchObject({ name: 'validate_input', access: 'tasks', changes: false })
})

describe('by capability and by canonical kind', () => {
  const image_main = {
    asset_type: 'image',
    url: 'https://a.example/b.png',
    width: 300,
    height: 250,
  }
  const landing_page_url = { asset_type: 'url', url: 'https://a.example' }

  test('spec 4.2: capabilities are targets, each checked separately with canonical names', async () => {
    const manifest = { format_kind: 'image', assets: { image_main, landing_page_url } }
    const target_capability_ids = ['display_300x250', 'display_728x90', 'no_such']
    const results = await validate({ manifest, target_capability_ids })
    expect(results.map(({ target, ok }) => [target.kind, target.id, ok])).toEqual([
      ['capability', 'display_300x250', true],
      ['capability', 'display_728x90', false],
      ['capability', 'no_such', false],
    ])
    expect(results[1]?.violations).toEqual(
      expect.arrayContaining([expect.objectContaining({ field: 'assets.image_main.width' })]),
    )
    expect(results[2]?.violations).toMatchObject([{ rule: 'known_capability' }])
  })

  test('spec 4.2: an empty slot is required_slot, and what an agent generates is not checked in advance', async () => {
    const empty = { manifest: { assets: {} }, target_capability_id: 'display_300x250' }
    expect((await validate(empty))[0]?.violations).toMatchObject([
      { rule: 'required_slot', field: 'assets.image_main' },
    ])
    const prompt = { generation_prompt: { asset_type: 'text', content: 'a red shoe' } }
    const generative = { target_capability_id: 'display_300x250_generative' }
    expect(await kindsOf({ manifest: { assets: {} }, ...generative })).toEqual(['validated_fail'])
    expect(await kindsOf({ manifest: { assets: prompt }, ...generative })).toEqual([
      'unvalidatable_nondeterministic',
    ])
  })

  test('spec 2.4: a manifest of a kind is checked by the slots of its kind', async () => {
    const manifest = { format_kind: 'image', assets: { hero_image: image_main } }
    expect(await validate({ manifest })).toEqual([
      {
        target: { kind: 'canonical', id: 'image' },
        ok: true,
        result_kind: 'validated_pass',
        warnings: ['assets.hero_image was used as image_main'],
      },
    ])
  })

  test('spec 2.3: a kind without parameters is checked by its own slots, of any size', async () => {
    const ofKind = async (id: string, assets: object) => {
      const [result] = await validate({
        manifest: { assets },
        targets: [{ kind: 'canonical', id }],
      })
      return result?.violations?.map(({ field }) => field) ?? []
    }
    const odd = { ...image_main, width: 123, height: 45 }
    expect(await ofKind('image', { image_main: odd })).toEqual([])
    expect(await ofKind('image', {})).toEqual(['assets.image_main'])
    const needed = ['assets.title', 'assets.advertiser_name', 'assets.landing_page_url']
    expect(await ofKind('native_in_feed', {})).toEqual(needed)
  })

  test('spec 2.3: renditions are identified by their density, and a kind with parameters by its floors', async () => {
    const pair = { target_capability_id: 'display_300x250_image_1x_2x' }
    const [missing] = await validate({
      manifest: { assets: { image_main: [image_main] } },
      ...pair,
    })
    expect(missing?.violations).toMatchObject([
      { rule: 'required_pixel_ratio_missing', expected: 2 },
    ])
    const params = { ctv_ad_experience: 'in_scene', creative_type: 'nonlinear' }
    const targets = [{ kind: 'canonical', id: 'video_vast', params }]
    const [below] = await validate({ manifest: { assets: {} }, targets })
    expect(below?.violations?.map(({ rule }) => rule)).toEqual([
      'ctv_duration_floor',
      'required_slot',
    ])
  })

  test('spec 7.1: at most 50 targets, whatever members name them', async () => {
    const target_capability_ids = Array.from({ length: 50 }, () => 'display_300x250')
    const request = { manifest: { assets: {} }, target_capability_ids }
    expect(await refusal({ ...request, target_capability_id: 'display_300x250' })).toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })
})

describe('a manifest of many targets', () => {
  /** Counts how often it is written. */
  const counting = (chars: number) => {
    const written = { times: 0 }
    const toJSON = () => {
      written.times += 1
      return { text: 'x'.repeat(chars) }
    }
    return { written, manifest: { ...bannerManifest(), toJSON } }
  }
  const requested = (manifest: object, targets: readonly object[]) =>
    Promise.resolve(task.handle({ manifest, targets } as never, callOf('prn_1')))
  const capability = (id: string) => ({ kind: 'capability', id })

  test('spec 8: is not written for more targets than its size allows', async () => {
    const { written, manifest } = counting(10 * 1_024 * 1_024)
    const ids = [300, 320, 336, 728, 970].map((width) => `display_${width}x${HEIGHTS.get(width)}`)
    const many = Array.from({ length: 10 }, () => ids)
      .flat()
      .map((id, index) => ({ ...capability(id), params: { index } }))
    await expect(requested(manifest, many)).rejects.toThrow('send fewer targets')
    expect(written.times).toBeLessThan(10)
  })

  test('is written once for a target that is named again and again', async () => {
    const { written, manifest } = counting(10)
    const same = Array.from({ length: 50 }, () => capability('display_300x250'))
    const { results } = (await requested(manifest, same)) as { results: object[] }
    expect(results).toHaveLength(50)
    expect(written.times).toBe(2)
  })
})

const HEIGHTS = new Map([
  [300, 250],
  [320, 50],
  [336, 280],
  [728, 90],
  [970, 250],
])
