// The check requests sent to the worker pool.

import type { Format } from '../../protocol/schemas/format.ts'

export interface CheckRequest {
  /** As JSON, each once, however many formats it is checked against. */
  manifests: readonly string[]
  items: readonly (Omit<CheckItem, 'json'> & { manifest: number })[]
}

export interface CheckItem {
  /** The manifest, as JSON. */
  json: string
  format: Format
  /** Whether the request names the brand next to the manifest. Default false. */
  isBrandKnown?: boolean
  /** Whether the manifest's own format id means this format. */
  isSameFormat: boolean
}
