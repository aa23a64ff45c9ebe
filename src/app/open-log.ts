// The log in the format of the settings: lines of JSON for machines, or short ones for people.

import pc from 'picocolors'
import { createLog, type Log } from '../lib/log.ts'
import type { Config } from './config.ts'
import { prettyLine } from './pretty-line.ts'

export type LogConfig = Pick<Config, 'logLevel' | 'logFormat'>

export interface Screen {
  isTTY?: boolean
  write(text: string): unknown
}

/** Whether people read it: at a terminal, unless the settings say otherwise. */
export function isPretty(
  { logFormat }: Pick<Config, 'logFormat'>,
  { isTTY = false }: Pick<Screen, 'isTTY'> = process.stderr,
): boolean {
  return logFormat === 'pretty' || (logFormat === 'auto' && isTTY)
}

export function openLog(config: LogConfig, screen: Screen = process.stderr): Log {
  const level = config.logLevel
  if (!isPretty(config, screen)) return createLog({ level })
  const colors = pc.createColors(screen.isTTY === true && pc.isColorSupported)
  return createLog({
    level,
    destination: {
      write: (text) => {
        const line = prettyLine(text, colors)
        if (line !== undefined) screen.write(`${line}\n`)
      },
    },
  })
}
