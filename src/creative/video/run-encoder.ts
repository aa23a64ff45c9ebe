// Runs ffmpeg on frames: a child process without a shell, which is fed as fast as it accepts them. It is stopped if
// it takes too long, if the frames cannot be made, and when the process that feeds it ends, which closes its pipe.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'

export interface EncoderRun {
  path: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** The folder it runs in. */
  folder: string
  /** From its start to its end. */
  timeoutMs: number
}

export type Encoded = { ok: true } | { ok: false; reason: 'too_long' | 'failed'; said: string }

/** Enough for the error message of ffmpeg. */
const MAX_SAID_CHARS = 1_000

/** Rethrows errors from making the frames. */
export async function runEncoder(frames: Iterable<Uint8Array>, run: EncoderRun): Promise<Encoded> {
  const { path, args, env, folder, timeoutMs } = run
  const child = spawn(path, args, {
    cwd: folder,
    env: { ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
    windowsHide: true,
  })
  let said = ''
  let isLate = false
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-MAX_SAID_CHARS)
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
    child.once('error', (error) => {
      said = error.message
      resolve(null)
    })
  })
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, timeoutMs)
  try {
    await feed(frames, child.stdin, ended)
    const code = await ended
    if (code === 0) return { ok: true }
    return { ok: false, reason: isLate ? 'too_long' : 'failed', said: said.trim() }
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

/** Runs until the encoder has all frames or accepts no more; the way it ends gives the reason. */
async function feed(
  frames: Iterable<Uint8Array>,
  pipe: Writable,
  ended: Promise<unknown>,
): Promise<void> {
  let isOpen = true
  pipe.on('error', () => {
    isOpen = false
  })
  const closed = ended.then(() => {
    isOpen = false
  })
  for (const frame of frames) {
    if (!isOpen) return
    if (pipe.write(frame)) continue
    await Promise.race([once(pipe, 'drain').catch(() => {}), closed])
  }
  pipe.end()
}
