// The encoder for videos. The server looks for it at startup and logs what it found; without one it serves everything
// else.

import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { containersOf, type VideoEncoder } from '../creative/video/video-encoder.ts'
import type { Log } from '../lib/log.ts'
import type { Config } from './config.ts'
import { readEnvironment } from './env.ts'

export interface EncoderParts {
  config: Pick<Config, 'ffmpeg'>
  log: Pick<Log, 'info' | 'warn'>
  /** Default: that of the process. */
  environment?: Readonly<Record<string, string | undefined>>
}

/**
 * Called for each build; the encoder is looked up only once. Throws when the settings name one that cannot be run.
 */
export function openEncoder(parts: EncoderParts): () => Promise<VideoEncoder | undefined> {
  const { config, log, environment = readEnvironment() } = parts
  const path = pathOf(config.ffmpeg, environment.PATH ?? '')
  if (path === undefined) {
    const why = config.ffmpeg === 'none' ? 'ADWIRE_FFMPEG is none' : 'there is no ffmpeg in PATH'
    log.info(`videos are not made: ${why}`)
    return async () => undefined
  }
  const found = encoderAt(path, environment, log)
  return () => found
}

function pathOf(ffmpeg: string | undefined, folders: string): string | undefined {
  if (ffmpeg === 'none') return undefined
  if (ffmpeg === undefined) {
    const candidates = folders.split(delimiter).filter((folder) => folder !== '')
    return candidates.map((folder) => join(folder, 'ffmpeg')).find(isExecutable)
  }
  const path = resolve(ffmpeg)
  if (!isExecutable(path)) {
    throw new Error(`ADWIRE_FFMPEG: ${path} is no file that can be run; none turns videos off`)
  }
  return path
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Variables that a program needs to start, none of which is a secret. */
const PASSED_ON = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SYSTEMROOT'] as const
const ASKED_MS = 15_000
const MAX_LISTED_BYTES = 1_000_000

async function encoderAt(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
  log: EncoderParts['log'],
): Promise<VideoEncoder | undefined> {
  const env = Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
  const options = { env, timeout: ASKED_MS, maxBuffer: MAX_LISTED_BYTES, windowsHide: true }
  try {
    const { stdout } = await promisify(execFile)(path, ['-hide_banner', '-encoders'], options)
    const containers = containersOf(stdout)
    if (containers.length > 0) {
      log.info({ path, containers }, 'videos are made with ffmpeg')
      return { path, env, containers }
    }
    const needs = 'it has neither libx264 with aac nor libvpx-vp9 with libopus'
    log.warn({ path }, `videos are not made: ${needs}`)
  } catch (error) {
    log.warn({ path, err: error }, 'videos are not made: ffmpeg does not run')
  }
  return undefined
}
