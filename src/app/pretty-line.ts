// A line of the log for people: the time, what happened, how it ended. A call is one line: the more informative of
// the two that the log has for it.

import type pc from 'picocolors'
import { plainText } from '../lib/plain-text.ts'
import { A2A_PATH, MCP_PATH } from '../protocol/agent-url.ts'

type Colors = ReturnType<typeof pc.createColors>
type Fields = Readonly<Record<string, unknown>>

/** Takes a line in the log's format; returns undefined if another line already reports the same. */
export function prettyLine(json: string, colors: Colors): string | undefined {
  const { level, time, pid: _, msg, err, ...fields } = JSON.parse(json) as Fields
  const at = colors.dim(new Date(String(time)).toTimeString().slice(0, 8))
  if (msg === 'request') return requestLine(at, fields, colors)
  if (msg === 'task') return taskLine(at, fields, colors)
  const returned = COLOURS.get(String(level)) ?? 'dim'
  const words = [at, colors[returned](String(level)), plainText(String(msg))]
  const fault = faultOf(err)
  if (fault !== undefined) words.push(fault)
  return [...words, ...rest(fields, colors)].join(' ')
}

const COLOURS = new Map<string, 'red' | 'yellow' | 'cyan'>([
  ['fatal', 'red'],
  ['error', 'red'],
  ['warn', 'yellow'],
  ['info', 'cyan'],
])

/** Calls over these transports are logged by their task, unless they failed. */
const TASK_TRANSPORTS = new Set([MCP_PATH, A2A_PATH])

function requestLine(at: string, fields: Fields, colors: Colors): string | undefined {
  const { method, route, status, duration_ms } = fields
  const code = Number(status)
  if (TASK_TRANSPORTS.has(String(route)) && code < 400) return undefined
  return [at, plainText(`${method} ${route}`), ending(status, code < 400, colors), ms(duration_ms)]
    .join('  ')
    .trimEnd()
}

function taskLine(at: string, fields: Fields, colors: Colors): string | undefined {
  const { task, transport, outcome, duration_ms } = fields
  if (transport === 'http') return undefined
  // Statuses are lowercase, error codes uppercase.
  const hasFailed = outcome === 'failed' || outcome === String(outcome).toUpperCase()
  return [
    at,
    plainText(`${transport} ${task}`),
    ending(outcome, !hasFailed, colors),
    ms(duration_ms),
  ]
    .join('  ')
    .trimEnd()
}

function ending(word: unknown, isGood: boolean, colors: Colors): string {
  return colors[isGood ? 'green' : 'red'](plainText(String(word)))
}

function ms(duration: unknown): string {
  return `${Math.round(Number(duration))} ms`
}

function faultOf(err: unknown): string | undefined {
  if (typeof err !== 'object' || err === null) return undefined
  return `(${plainText(String((err as { message?: unknown }).message ?? 'no reason given'))})`
}

function rest(fields: Fields, colors: Colors): string[] {
  return Object.entries(fields).map(([name, value]) =>
    colors.dim(
      plainText(`${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`),
    ),
  )
}
