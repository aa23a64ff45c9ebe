// The operator's connectors as configured in ADWIRE_CONNECTORS: for each platform the URL of a service, or a module
// that creates a connector.

import { z } from 'zod'
import { tryJson } from '../../lib/try-json.ts'
import { isObject } from '../../protocol/schemas/checks.ts'

export type ConnectorSource =
  | { url: string; headers: Readonly<Record<string, string>>; bearerFile: string | undefined }
  | { module: string; options: unknown }

const webUrl = z.url({ protocol: /^https?$/ })

const source = z.union([
  z.strictObject({
    url: webUrl,
    headers: z.record(z.string(), z.string()).optional(),
    bearer_file: z.string().min(1).optional(),
  }),
  z.strictObject({ module: z.string().min(1), options: z.unknown().optional() }),
])

const WANTED =
  '{"my-platform": {"url": "https://…", "headers": {…}, "bearer_file": "/path"}} or ' +
  '{"my-platform": {"module": "./my-platform.mjs", "options": {…}}}'

export type ReadConnectors =
  | { ok: true; sources: Map<string, ConnectorSource> }
  | { ok: false; error: string }

/** The errors name members and never repeat values, which may contain secrets. */
export function readConnectors(json: string): ReadConnectors {
  const value = tryJson(json)
  if (!isObject(value)) return { ok: false, error: `must be JSON such as ${WANTED}` }
  const sources = new Map<string, ConnectorSource>()
  for (const [platform, given] of Object.entries(value)) {
    const read = source.safeParse(given)
    if (platform === '' || !read.success) {
      return {
        ok: false,
        error: `has a wrong entry for ${JSON.stringify(platform)}: give ${WANTED}`,
      }
    }
    const { data } = read
    sources.set(
      platform,
      'module' in data
        ? { module: data.module, options: data.options }
        : { url: data.url, headers: data.headers ?? {}, bearerFile: data.bearer_file },
    )
  }
  return { ok: true, sources }
}
