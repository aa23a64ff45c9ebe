import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEncoder } from '../../../src/app/open-encoder.ts'
import { readMp4 } from '../../../src/creative/video/read-mp4.ts'
import type { VideoEncoder } from '../../../src/creative/video/video-encoder.ts'
import {
  type BuildHarness,
  buildHarness,
  formatId,
  refusalOf,
} from '../build-steps/build-harness.ts'
import { hasFfmpeg, mp4, standInEncoder } from './mp4.ts'

const SMALL = formatId('video_dimensions', { width: 160, height: 120 })
const OFFER = {
  promoted_offerings: {
    brand_manifest: { name: 'Northwind', url: 'https://www.northwind.example' },
    inline_offerings: [
      { offering_id: '1', name: 'Trail boots', description: 'Light and tough. Free shipping.' },
    ],
  },
}

let harness: BuildHarness
let encoder: VideoEncoder | undefined
const good = standInEncoder(mp4(15_000))

beforeAll(async () => {
  harness = await buildHarness({ encoder: async () => encoder })
})
afterAll(async () => {
  await harness.close()
  good.remove()
})

describe('spec 4.2: a video that is built', () => {
  test('has the size and length of its slot, is stored, and is reported', async () => {
    encoder = good.encoder
    const { creative_manifest, ext, expires_at } = await harness.build({
      target_format_id: SMALL,
      ...OFFER,
    })
    const asset = creative_manifest?.assets?.video_file
    expect(asset).toMatchObject({
      asset_type: 'video',
      width: 160,
      height: 120,
      duration_ms: 15_000,
      container_format: 'mp4',
      video_codec: 'h264',
      has_audio: true,
      audio_codec: 'aac',
      file_size_bytes: mp4(15_000).byteLength,
      url: expect.stringMatching(/^https:\/\/ads\.example\/assets\/[0-9a-f]{64}\.mp4$/),
    })
    expect(await harness.bytesOf(asset)).toEqual(mp4(15_000))
    expect(expires_at).toBeDefined()
    expect((ext as { build_notes: string[] }).build_notes).toContain(
      'video_file: made of 4 scenes, 160x120, 15 s, with a silent sound track',
    )
    expect(existsSync(good.ranIn())).toBe(false)
  })

  test('is carried where the request has one', async () => {
    const video_file = { asset_type: 'video', url: 'https://cdn.example/a.mp4', duration_ms: 9_000 }
    const { creative_manifest } = await harness.build({
      target_format_id: SMALL,
      creative_manifest: { assets: { video_file } },
    })
    expect(creative_manifest?.assets?.video_file).toEqual(video_file)
  })

  test('has the sound of the request', async () => {
    const received = join(good.folder, 'heard')
    const script = `/bin/cat > /dev/null; /bin/cp sound ${received}; /bin/cp ${good.folder}/film film.mp4`
    const listening = standInEncoder(mp4(15_000), script)
    encoder = listening.encoder
    harness.files.files.set('/jingle.mp3', { body: 'ID3 a jingle', type: 'audio/mpeg' })
    const url = `${harness.files.url}/jingle.mp3`
    const { creative_manifest, ext } = await harness.build({
      target_format_id: SMALL,
      creative_manifest: { assets: { jingle: { asset_type: 'audio', url } } },
      ...OFFER,
    })
    expect(readFileSync(received, 'utf8')).toBe('ID3 a jingle')
    expect(Object.keys(creative_manifest?.assets ?? {})).toEqual(['video_file'])
    expect((ext as { build_notes: string[] }).build_notes).toEqual([
      'video_file: made of 4 scenes, 160x120, 15 s, with the sound of the request',
    ])
    listening.remove()
  })

  test('is refused with the call where there is no encoder, and the refusal says what to install', async () => {
    encoder = undefined
    expect(await refusalOf(harness.build({ target_format_id: SMALL, ...OFFER }))).toMatchObject({
      code: 'UNSUPPORTED_FEATURE',
      field: '/creative_manifest/assets/video_file',
      message: expect.stringMatching(/no ffmpeg.*install ffmpeg with libx264.*ADWIRE_FFMPEG/),
    })
  })

  test.each([
    ['broadcast_spot_15s', {}, /-24 LUFS/],
    ['video_dimensions', { width: 161, height: 120 }, /both must be even/],
    ['video_hosted', { duration_ms: 90_000 }, /90000 ms/],
  ])('for %s %j is refused with the call, with the reason', async (id, more, reason) => {
    encoder = good.encoder
    const refusal = await refusalOf(
      harness.build({ target_format_id: formatId(id, more), ...OFFER }),
    )
    expect(refusal).toMatchObject({
      code: 'UNSUPPORTED_FEATURE',
      message: expect.stringMatching(reason),
    })
  })

  test('is one of four in a build at most', async () => {
    const target_format_ids = [1, 2, 3, 4, 5].map((n) =>
      formatId('video_dimensions', { width: 160 + n * 2, height: 120 }),
    )
    const refusal = await refusalOf(harness.build({ target_format_ids, ...OFFER }))
    expect(refusal.message).toContain('5 videos would have to be made: at most 4')
  })

  test.each([
    ['that fails', Buffer.alloc(0), 'echo "bad codec" >&2; exit 1', /ffmpeg: bad codec/],
    ['whose file is cut short', mp4(9_000), '', /it came out 9000 ms long/],
    ['that writes nothing to play', Buffer.from('<html>'), '', /no file that can be played/],
  ])('by an encoder %s is refused, and leaves nothing behind', async (_, file, script, reason) => {
    const bad = standInEncoder(file, script)
    encoder = bad.encoder
    const refusal = await refusalOf(harness.build({ target_format_id: SMALL, ...OFFER }))
    expect(existsSync(bad.ranIn())).toBe(false)
    bad.remove()
    expect(refusal).toMatchObject({
      code: 'UNSUPPORTED_FEATURE',
      message: expect.stringMatching(reason),
    })
  })

  test('with a sound that is none is refused by the name of the sound', async () => {
    encoder = good.encoder
    harness.files.files.set('/list.m3u8', { body: '#EXTM3U\nfile:///etc/passwd' })
    const assets = { jingle: { asset_type: 'audio', url: `${harness.files.url}/list.m3u8` } }
    const request = { target_format_id: SMALL, creative_manifest: { assets }, ...OFFER }
    expect(await refusalOf(harness.build(request))).toMatchObject({
      code: 'CREATIVE_INACCESSIBLE',
      field: '/creative_manifest/assets/jingle/url',
    })
    const inside = { jingle: { asset_type: 'audio', url: `${harness.canary.url}/a.mp3` } }
    await refusalOf(harness.build({ ...request, creative_manifest: { assets: inside } }))
    expect(harness.canary.requested).toEqual([])
  })

  test.skipIf(!hasFfmpeg())(
    'by the real ffmpeg plays at once, and is the same each time',
    async () => {
      const log = { info: () => {}, warn: () => {} } as never
      encoder = await openEncoder({ config: { ffmpeg: undefined }, log })()
      const build = async () => {
        const { creative_manifest } = await harness.build({ target_format_id: SMALL, ...OFFER })
        return harness.bytesOf(creative_manifest?.assets?.video_file)
      }
      const film = await build()
      expect(readMp4(film)).toEqual({ durationMs: 15_000, isFastStart: true })
      expect((await build()).equals(film)).toBe(true)
    },
  )
})

test('a server finds its ffmpeg in PATH, by its setting, or not at all', async () => {
  const said: unknown[] = []
  const log = {
    info: (...words: unknown[]) => said.push(words),
    warn: (...words: unknown[]) => said.push(words),
  } as never
  const lists = standInEncoder(Buffer.alloc(0), 'echo " V....D libx264 x"; echo " A....D aac x"')
  const open = (ffmpeg: string | undefined, PATH = '') =>
    openEncoder({ config: { ffmpeg }, log, environment: { PATH } })
  expect(await open(undefined, lists.folder)()).toMatchObject({ containers: ['mp4'] })
  expect(await open(lists.encoder.path)()).toMatchObject({ path: lists.encoder.path })
  expect(await open(undefined)()).toBeUndefined()
  expect(await open('none', lists.folder)()).toBeUndefined()
  expect(JSON.stringify(said)).toContain('videos are not made: ADWIRE_FFMPEG is none')
  expect(() => open('/nowhere/ffmpeg')).toThrow('ADWIRE_FFMPEG: /nowhere/ffmpeg is no file')
  writeFileSync(lists.encoder.path, '#!/bin/sh\nexit 1\n')
  expect(await open(lists.encoder.path)()).toBeUndefined()
  expect(existsSync(lists.folder)).toBe(true)
  lists.remove()
})
