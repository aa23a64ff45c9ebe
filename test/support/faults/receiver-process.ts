// The built `adwire receive` as a buyer runs it, on the place of a fault test, and the file of --out.

import { existsSync, readFileSync } from 'node:fs'
import type { MessageLine } from '../../../src/app/receive/message-line.ts'
import { type Server, start } from '../cli.ts'
import type { Place } from './place.ts'

/** What senders sign for: the same for every instance and after every restart. */
export const PUBLIC_URL = 'https://hooks.buyer.example'

export interface ReceiveProcess extends Server {
  /** Ends it at once and waits for the end. */
  kill(): Promise<void>
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>
}

/** `args` say whom to trust and where the messages go. */
export async function startReceive(
  place: Pick<Place, 'args' | 'env'>,
  args: readonly string[],
): Promise<ReceiveProcess> {
  const running = start(
    ['receive', '--port', '0', '--public-url', PUBLIC_URL, ...place.args, ...args],
    { ADWIRE_LOG_LEVEL: 'warn', ...place.env },
  )
  const { child, output, ended } = running
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => {
      if (/remembered .*\n/.test(output.stdout)) resolve()
    })
  })
  await Promise.race([ready, ended])
  const url = /listens on (\S+)/.exec(output.stdout)?.[1]
  if (!url) throw new Error(`adwire receive did not start: ${output.stderr}`)
  return {
    ...running,
    url,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    stop: async () => {
      child.kill('SIGTERM')
      return (await ended).code
    },
  }
}

/** The whole lines of a file of --out. */
export function linesIn(file: string): MessageLine[] {
  if (!existsSync(file)) return []
  const texts = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return texts.map((text) => JSON.parse(text) as MessageLine)
}
