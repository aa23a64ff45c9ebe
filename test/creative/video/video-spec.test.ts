import { describe, expect, test } from 'vitest'
import type { BuildSlot } from '../../../src/creative/build-steps/slots.ts'
import { ffmpegArguments } from '../../../src/creative/video/ffmpeg-arguments.ts'
import { soundFormat } from '../../../src/creative/video/sound-format.ts'
import { containersOf } from '../../../src/creative/video/video-encoder.ts'
import { type VideoSpec, videoSpec } from '../../../src/creative/video/video-spec.ts'
import type { Format } from '../../../src/protocol/schemas/format.ts'

const OPEN = { format_id: { agent_url: 'https://ads.example', id: 'x' }, assets: [] }

function requested(requirements: object, containers: ('mp4' | 'webm')[] = ['mp4', 'webm']) {
  const slot = { role: 'other', requirements } as unknown as BuildSlot
  return videoSpec(slot, OPEN as unknown as Format, { containers })
}

function specOf(requirements: object = {}): VideoSpec {
  const found = requested(requirements)
  if (!found.ok) throw new Error(found.reason)
  return found.spec
}

const SMALL = { min_width: 640, max_width: 640, min_height: 360, max_height: 360 }

describe('spec 2.3: the video that a slot requires', () => {
  test('where it leaves everything open is an MP4 of 15 s for ordinary players', () => {
    expect(specOf()).toMatchObject({
      width: 1_280,
      height: 720,
      durationMs: 15_000,
      container: 'mp4',
      framesPerSecond: 25,
      audioRateHz: 48_000,
    })
  })

  test('has the requested size, length, rate and kind', () => {
    const requirements = { ...SMALL, min_duration_ms: 6_000, max_duration_ms: 6_000 }
    const more = { containers: ['webm'], frame_rates: [29.97], audio_sample_rates: [48_000] }
    expect(specOf({ ...requirements, ...more })).toMatchObject({
      width: 640,
      height: 360,
      durationMs: 6_000,
      container: 'webm',
      frameRate: '30000/1001',
    })
  })

  test('has a bit rate that keeps its file within its weight', () => {
    const { maxKbps, audioKbps, maxBytes } = specOf({ max_file_size_kb: 1_000 })
    expect(maxBytes).toBe(1_000_000)
    expect(((maxKbps + audioKbps) * 15_000) / 8).toBeLessThan(1_000_000)
  })

  test('has all the time as many bits as it must, where there is room for them', () => {
    expect(specOf({ min_bitrate_kbps: 2_000 }).constantKbps).toBeGreaterThanOrEqual(2_000)
  })

  test.each([
    [{ min_bitrate_kbps: 15_000 }, /must have 15000 kbps, which are 28125000 bytes/],
    [{ min_duration_ms: 90_000 }, /lasts 90000 ms, and a video of 1000 to 60000 ms/],
    [
      { ...SMALL, min_width: 4_000, max_width: 4_000, min_height: 3_000, max_height: 3_000 },
      /4000x3000 pixels/,
    ],
    [{ ...SMALL, min_width: 641, max_width: 641 }, /641x360 pixels, and both must be even/],
    [{ ...SMALL, min_height: 50, max_height: 50 }, /640x50 pixels, and each side/],
    [{ containers: ['mov'] }, /mp4 \(h264\) and webm \(vp9\) can be made, and it takes mov/],
    [{ codecs: ['prores'] }, /takes prores/],
    [{ loudness_lufs: -24 }, /-24 LUFS/],
    [{ audio_channels: ['mono'] }, /must be mono/],
    [{ frame_rates: [12] }, /none of its frame rates can be made: 12/],
    [{ max_file_size_kb: 200 }, /no video is that small/],
  ])('with %j cannot be made, and says why', (requirements, reason) => {
    const found = requested(requirements)
    expect(found).toMatchObject({ ok: false, reason: expect.stringMatching(reason) })
  })
})

describe('how ffmpeg is called', () => {
  const args = (over: Partial<VideoSpec> = {}, sound?: { file: string; demuxer: 'mp3' }) =>
    ffmpegArguments({
      spec: { ...specOf(), ...over },
      output: 'film.mp4',
      maxCpuSeconds: 120,
      ...(sound && { sound }),
    })
  const valueAfter = (list: readonly string[], name: string) => list[list.indexOf(name) + 1]

  test('with raw frames at its pipe, no network, one thread and limits of its own', () => {
    const list = args()
    expect(list).toContain('-nostdin')
    expect(valueAfter(list, '-protocol_whitelist')).toBe('pipe')
    expect(valueAfter(list, '-i')).toBe('pipe:0')
    expect(valueAfter(list, '-video_size')).toBe('1280x720')
    expect(valueAfter(list, '-timelimit')).toBe('120')
    expect(valueAfter(list, '-threads')).toBe('1')
    expect(valueAfter(list, '-fs')).toBe('10000000')
    expect(valueAfter(list, '-t')).toBe('15.000')
    expect(valueAfter(list, '-movflags')).toBe('+faststart')
    expect(list.join(' ')).toContain('anullsrc')
    expect(list.at(-1)).toBe('file:film.mp4')
  })

  test('with a sound that it may only read as what it is, from its own folder', () => {
    const list = args({}, { file: 'sound', demuxer: 'mp3' })
    expect(list.join(' ')).toContain(
      '-protocol_whitelist file -format_whitelist mp3 -f mp3 -threads 1 -vn -i file:sound',
    )
    expect(list.join(' ')).not.toContain('lavfi')
  })

  test('with filled-up bits where a slot requires a minimum rate', () => {
    expect(args({ constantKbps: 2_040, maxKbps: 2_040 }).join(' ')).toContain('-minrate 2040k')
  })
})

test('what ffmpeg can write is read from its list of encoders', () => {
  const line = (name: string) => ` V....D ${name}   Some encoder (codec x)`
  expect(containersOf([line('libx264'), line('aac')].join('\n'))).toEqual(['mp4'])
  expect(containersOf([line('libx264rgb'), line('aac')].join('\n'))).toEqual([])
  expect(containersOf([line('libvpx-vp9'), line('libopus')].join('\n'))).toEqual(['webm'])
})

test.each([
  ['ID3\u0004', 'mp3'],
  ['\u00ff\u00fb\u0090', 'mp3'],
  ['\u00ff\u00f1\u0050', 'aac'],
  ['RIFF....WAVEfmt ', 'wav'],
  ['fLaC', 'flac'],
  ['OggS', 'ogg'],
  ['....ftypM4A ', 'mov'],
  ['#EXTM3U\nfile:///etc/passwd', undefined],
  ['ffconcat version 1.0', undefined],
  ['', undefined],
])('a sound that begins with %j is read as %s', (head, format) => {
  expect(soundFormat(Buffer.from(head, 'latin1'))).toBe(format)
})
