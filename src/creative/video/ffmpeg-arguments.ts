// How ffmpeg is called: raw frames from a pipe, one output file. It has no network, is non-interactive, guesses no
// format, and stops by itself if it takes too long or writes too much.

import { CODECS } from './video-encoder.ts'
import type { VideoSpec } from './video-spec.ts'

export interface Encoding {
  spec: VideoSpec
  /** A file in the folder it runs in, and the demuxer for it; without one the video is silent. */
  sound?: { file: string; demuxer: SoundFormat }
  /** Written into the folder it runs in. */
  output: string
  /** CPU time in seconds: the system stops it then, even if nothing else does. */
  maxCpuSeconds: number
}

/** As ffmpeg calls them. */
export type SoundFormat = 'mp3' | 'aac' | 'wav' | 'flac' | 'ogg' | 'mov'

export function ffmpegArguments(encoding: Encoding): string[] {
  const { spec, sound, output, maxCpuSeconds } = encoding
  return [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'error',
    '-timelimit',
    String(maxCpuSeconds),
    '-filter_threads',
    '1',
    ...frameInput(spec),
    ...(sound ? soundInput(sound) : silence(spec)),
    '-map',
    '0:v:0',
    '-map',
    '1:a:0',
    '-t',
    seconds(spec.durationMs),
    ...videoCodec(spec),
    ...audioCodec(spec, sound !== undefined),
    // No information on when or where it was made, so that equal frames give equal files.
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
    ...(spec.container === 'mp4' ? ['-movflags', '+faststart'] : []),
    '-fs',
    String(spec.maxBytes),
    '-n',
    '-f',
    spec.container,
    `file:${output}`,
  ]
}

function frameInput({ width, height, frameRate }: VideoSpec): string[] {
  return [
    '-protocol_whitelist',
    'pipe',
    '-f',
    'rawvideo',
    '-pixel_format',
    'rgb24',
    '-video_size',
    `${width}x${height}`,
    '-framerate',
    frameRate,
    '-i',
    'pipe:0',
  ]
}

function soundInput({ file, demuxer }: NonNullable<Encoding['sound']>): string[] {
  return [
    '-protocol_whitelist',
    'file',
    '-format_whitelist',
    demuxer,
    '-f',
    demuxer,
    // Cover art is a video stream: it is not read at all.
    '-threads',
    '1',
    '-vn',
    '-i',
    `file:${file}`,
  ]
}

function silence({ audioRateHz }: VideoSpec): string[] {
  return ['-f', 'lavfi', '-i', `anullsrc=channel_layout=stereo:sample_rate=${audioRateHz}`]
}

function videoCodec(spec: VideoSpec): string[] {
  const { container, maxKbps, constantKbps, framesPerSecond } = spec
  const colours = ['-vf', 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p']
  const reported = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709']
  const rates = ['-maxrate', `${maxKbps}k`, '-bufsize', `${maxKbps * 2}k`]
  const common = [
    '-c:v',
    CODECS[container].video.encoder,
    ...colours,
    ...reported,
    '-threads',
    '1',
    '-g',
    String(Math.round(framesPerSecond * 2)),
    '-flags:v',
    '+bitexact',
  ]
  if (container === 'webm') {
    const quality = ['-deadline', 'realtime', '-cpu-used', '6', '-row-mt', '0']
    const rate = constantKbps ?? maxKbps
    return [...common, ...quality, '-b:v', `${rate}k`, '-crf', '28', ...rates]
  }
  const h264 = ['-preset', 'superfast', '-profile:v', 'high']
  if (constantKbps === undefined) return [...common, ...h264, '-crf', '19', ...rates]
  const constant = ['-b:v', `${constantKbps}k`, '-minrate', `${constantKbps}k`, ...rates]
  return [...common, ...h264, ...constant, '-x264-params', 'nal-hrd=cbr:force-cfr=1']
}

/** A sound that is too short is followed by silence; one that is too long fades out. */
function audioCodec(spec: VideoSpec, hasSound: boolean): string[] {
  const { container, audioKbps, audioRateHz, durationMs } = spec
  const fadeMs = Math.min(800, durationMs / 4)
  const fade = `afade=t=out:st=${seconds(durationMs - fadeMs)}:d=${seconds(fadeMs)}`
  return [
    '-c:a',
    CODECS[container].audio.encoder,
    '-b:a',
    `${audioKbps}k`,
    // Opus knows one rate alone.
    '-ar',
    String(container === 'webm' ? 48_000 : audioRateHz),
    '-ac',
    '2',
    '-flags:a',
    '+bitexact',
    ...(hasSound ? ['-af', `apad,${fade}`] : []),
  ]
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3)
}
