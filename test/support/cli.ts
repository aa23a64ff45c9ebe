// The built command, run as a user runs it: in a process and a folder of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { warmCommand } from './warm-cli.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export type Env = Record<string, string>

export interface Running {
  child: ChildProcess
  output: Finished
  /** Resolves with everything it said when the process has ended. */
  ended: Promise<Finished>
}

/** A new folder that is removed when the test ends. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'adwire-cli-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** The same for the tests of a file, which remove it themselves. */
export function lastingFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'adwire-cli-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const seen = new Set<string>()

/**
 * Runs `adwire …` to its end: the first call of each command in a process of its own, as a user does; later calls in
 * a warm process, except those that run beside another.
 */
export async function adwire(args: readonly string[], env: Env = {}): Promise<Finished> {
  const [command = ''] = args
  const isFirst = !seen.has(command)
  seen.add(command)
  return (!isFirst && warmCommand(args, environment(env))) || start(args, env).ended
}

/** Of a command, which has nothing of ours but what a test gives it. */
function environment(env: Env): Env {
  return { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...SPARING, ...env }
}

/** What few tests need costs seconds of each start: those that do say otherwise. */
export const SPARING: Env = {
  ADWIRE_SIGNALS_MODEL: 'false',
  ADWIRE_WORKER_POOL_PROCESSES: '1',
  ADWIRE_WARM_UP: 'false',
  // With it a demo has deliveries of its own, which would be counted.
  ADWIRE_CONSOLE: 'false',
}

/** `input` is what it reads from standard input; without it there is none. Ends with the test. */
export function start(args: readonly string[], env: Env = {}, input?: string): Running {
  const running = startLasting(args, env, input)
  onTestFinished(() => end(running))
  return running
}

/** The same for the tests of a file, which end it themselves. */
function startLasting(args: readonly string[], env: Env, input?: string): Running {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: environment(env),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  // It may end without reading all of it.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const output: Finished = { code: null, stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    output.stdout += String(chunk)
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += String(chunk)
  })
  const ended = once(child, 'close').then(([code]) => {
    output.code = code as number | null
    return output
  })
  return { child, output, ended }
}

/** Kills it where it has not ended. */
export async function end({ child, ended }: Running): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await ended
}

export interface Server extends Running {
  url: string
}

/** Runs `adwire serve …` on a free port until it has said all it says at the start. Ends with the test. */
export async function serve(args: readonly string[], env: Env = {}): Promise<Server> {
  return ready(start(['serve', '--port', '0', ...args], env), args)
}

/** The same for the tests of a file, which end it themselves. */
export async function serveLasting(args: readonly string[], env: Env = {}): Promise<Server> {
  return ready(startLasting(['serve', '--port', '0', ...args], env), args)
}

async function ready(running: Running, args: readonly string[]): Promise<Server> {
  const last = args.includes('--demo') ? /demo key: .*\n/ : /listens on .*\n/
  const said = new Promise<void>((resolve) => {
    running.child.stdout?.on('data', () => {
      if (last.test(running.output.stdout)) resolve()
    })
  })
  await Promise.race([said, running.ended])
  const url = /listens on (\S+)/.exec(running.output.stdout)?.[1]
  if (!url) throw new Error(`adwire serve did not start: ${running.output.stderr}`)
  return { ...running, url }
}
