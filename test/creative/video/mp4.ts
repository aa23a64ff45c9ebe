// A small MP4 without pictures, and a program that hands it over in place of ffmpeg.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VideoEncoder } from '../../../src/creative/video/video-encoder.ts'

function box(type: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.byteLength)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

export function moov(durationMs: number): Buffer {
  const mvhd = Buffer.alloc(100)
  mvhd.writeUInt32BE(1_000, 12)
  mvhd.writeUInt32BE(durationMs, 16)
  return box('moov', box('mvhd', mvhd))
}

export const FTYP = box('ftyp', Buffer.from('isom'))
export const MDAT = box('mdat', Buffer.from('media'))

export function mp4(durationMs: number): Buffer {
  return Buffer.concat([FTYP, moov(durationMs), MDAT])
}

/** Takes all frames and writes `file`; or runs `script` instead. */
export function standInEncoder(file: Buffer, script = '') {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-stand-in-'))
  const path = join(folder, 'ffmpeg')
  writeFileSync(join(folder, 'film'), file)
  const take = `/bin/cat > /dev/null\n/bin/cp ${join(folder, 'film')} film.mp4`
  writeFileSync(path, `#!/bin/sh\npwd > ${join(folder, 'ran-in')}\n${script || take}\n`)
  chmodSync(path, 0o755)
  const encoder: VideoEncoder = { path, env: {}, containers: ['mp4'] }
  const ranIn = () => readFileSync(join(folder, 'ran-in'), 'utf8').trim()
  return { encoder, folder, ranIn, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Whether the real one is there; a run without it says so. */
export function hasFfmpeg(): boolean {
  try {
    execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    console.warn('SKIPPED: there is no ffmpeg in PATH, so no real video is made by this run')
    return false
  }
}
