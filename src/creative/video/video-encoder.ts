// The encoder that makes a video from drawn frames: ffmpeg, if the operator has installed it. It is not part of this
// package; without it a video has to be supplied in the request.

/** By the names of their files. */
export const CONTAINERS = ['mp4', 'webm'] as const
export type VideoContainer = (typeof CONTAINERS)[number]

export interface VideoEncoder {
  /** Of the executable. */
  path: string
  /** All that its environment holds. */
  env: Readonly<Record<string, string>>
  /** What it can write; at least one. */
  containers: readonly VideoContainer[]
}

/** What each format needs from ffmpeg: a codec for the pictures, and one for the sound. */
export const CODECS: Readonly<Record<VideoContainer, { video: VideoCodec; audio: AudioCodec }>> = {
  mp4: {
    video: { encoder: 'libx264', name: 'h264' },
    audio: { encoder: 'aac', name: 'aac' },
  },
  webm: {
    video: { encoder: 'libvpx-vp9', name: 'vp9' },
    audio: { encoder: 'libopus', name: 'opus' },
  },
}

interface VideoCodec {
  /** As ffmpeg calls it. */
  encoder: string
  /** As a manifest does. */
  name: string
}
type AudioCodec = VideoCodec

/** Parses `ffmpeg -encoders`, one per line: flags, name, description. */
export function containersOf(listed: string): VideoContainer[] {
  const names = new Set(listed.split('\n').map((line) => line.trim().split(/\s+/, 2)[1]))
  return CONTAINERS.filter((container) => {
    const { video, audio } = CODECS[container]
    return names.has(video.encoder) && names.has(audio.encoder)
  })
}
