// Parses the response of an agent within limits: JSON, or an event stream, in which the last event with JSON counts.
// Missing parts are undefined; nothing throws.

import { parseBoundedJson } from '../lib/bounded-json.ts'
import type { EgressResult } from '../lib/safe-fetch/safe-fetch.ts'

export type AgentAnswer = Extract<EgressResult, { ok: true }>
export type Fields = Record<string, unknown>

const LIMITS = { maxDepth: 64, maxValues: 20_000, maxMembers: 5_000 } as const

export function jsonOf(body: Uint8Array): unknown {
  const parsed = parseBoundedJson(body, LIMITS)
  return parsed.ok ? parsed.value : undefined
}

/** The JSON of a response, or of the last event of an event stream that contains JSON. */
export function jsonRpcOf({ body, headers }: AgentAnswer): unknown {
  if (!(headers['content-type'] ?? '').startsWith('text/event-stream')) return jsonOf(body)
  const events = body.toString('utf8').split(/\r?\n\r?\n/)
  for (const event of events.toReversed()) {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5))
    const value = data.length > 0 ? jsonOf(Buffer.from(data.join('\n'))) : undefined
    if (value !== undefined) return value
  }
  return undefined
}

export function isOk(status: number): boolean {
  return status >= 200 && status <= 299
}

export function asObject(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return value as Fields
}

export function objectAt(value: unknown, key: string): Fields | undefined {
  return asObject(asObject(value)?.[key])
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
