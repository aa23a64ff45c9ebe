// One process for the commands of a whole worker, which cli-host.mjs runs one after another.

import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Env, Finished } from './cli.ts'

const HOST = fileURLToPath(new URL('./cli-host.mjs', import.meta.url))

interface Host {
  child: ChildProcess
  isBusy: boolean
}

let host: Host | undefined

/** Undefined when it is busy: a command that runs beside it gets a process of its own. */
export function warmCommand(args: readonly string[], env: Env): Promise<Finished> | undefined {
  if (host?.isBusy) return undefined
  if (!host || host.child.exitCode !== null || !host.child.connected) host = startHost()
  return commandIn(host, args, env)
}

function startHost(): Host {
  const child = fork(HOST, [], {
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1' },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // It ends with the worker.
  child.unref()
  return { child, isBusy: false }
}

async function commandIn(of: Host, args: readonly string[], env: Env): Promise<Finished> {
  const { child } = of
  of.isBusy = true
  const mark = `\0${randomUUID()}\0`
  const gone = once(child, 'exit').then(() => {
    throw new Error(`the process of commands ended in adwire ${args.join(' ')}`)
  })
  gone.catch(() => {})
  const answered = once(child, 'message')
  const said = Promise.all([until(mark, child.stdout), until(mark, child.stderr)])
  child.send({ args, env, mark })
  const [[answer], [stdout, stderr]] = await Promise.race([Promise.all([answered, said]), gone])
  const { code, isClean } = answer as { code: number; isClean: boolean }
  of.isBusy = false
  if (!isClean) {
    if (host === of) host = undefined
    child.kill('SIGKILL')
  }
  return { code, stdout, stderr }
}

/** What comes before the mark. */
function until(mark: string, stream: Readable | null): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const receive = (chunk: Buffer) => {
      chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      if (!text.endsWith(mark)) return
      stream?.off('data', receive)
      resolve(text.slice(0, -mark.length))
    }
    stream?.on('data', receive)
  })
}
