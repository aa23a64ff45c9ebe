// A community mirror: what the community states about a platform that publishes no adagents.json. It describes
// formats, properties, placements, collections and signals; it authorizes nobody.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseUrl } from '../../lib/is-url.ts'
import { isStorable } from '../../lib/storable-text.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import { type Refusal, refuse } from '../refusal.ts'

export const PLATFORM = /^[a-z0-9_-]{1,64}$/

const LISTS = ['formats', 'properties', 'placements', 'collections', 'signals'] as const

/** A text that a database can hold. */
export const storable = (value: string) => isStorable(value)
const item = z.looseObject({})
const list = z.array(item).optional()
const mapping = z.record(z.string(), z.unknown()).optional()

/** `authorized_agents` may be sent and is ignored. */
export const mirrorInput = z.object({
  catalog_etag: z.string().min(1).max(255).refine(storable).optional(),
  formats: list,
  properties: list,
  placements: list,
  placement_tags: mapping,
  collections: list,
  signals: list,
  signal_tags: mapping,
  contact: z.unknown().optional(),
  superseded_by: z.string().max(2_048).refine(storable).optional(),
})
export type MirrorInput = z.infer<typeof mirrorInput>

export interface MirrorDocument extends Record<string, unknown> {
  authorized_agents: []
  properties?: Record<string, unknown>[]
  placements?: Record<string, unknown>[]
  collections?: Record<string, unknown>[]
}

/** A document as it is stored. */
export interface MirrorContent {
  /** Its JSON. */
  document: string
  /** The SHA-256 of `document`. */
  digest: string
  catalog_etag: string | null
  superseded_by: string | null
}

/** What may be published, before it is checked against the schema of an adagents.json. */
export function readMirror(
  input: MirrorInput,
  { isModerator }: { isModerator: boolean },
): { ok: true; content: MirrorContent } | Refusal {
  const items = LISTS.reduce((sum, name) => sum + (input[name]?.length ?? 0), 0)
  if (items === 0) {
    return refuse(400, `a mirror has at least one entry in one of ${LISTS.join(', ')}`)
  }
  const { mirrorItems, mirrorBytes } = CATALOGUE_LIMITS
  if (!isModerator && items > mirrorItems.value) {
    return refuse(413, `a mirror has at most ${mirrorItems.value} entries (got ${items})`)
  }
  const { superseded_by } = input
  if (superseded_by !== undefined && parseUrl(superseded_by)?.protocol !== 'https:') {
    return refuse(400, 'superseded_by must be an https URL')
  }
  const invented = inventedIn(input)
  if (invented) return refuse(400, invented)

  const document = JSON.stringify({ ...input, authorized_agents: [] })
  if (!isModerator && Buffer.byteLength(document) > mirrorBytes.value) {
    return refuse(413, `a mirror is at most ${mirrorBytes.value} bytes of JSON`)
  }
  return {
    ok: true,
    content: {
      document,
      digest: createHash('sha256').update(document).digest('hex'),
      catalog_etag: input.catalog_etag ?? null,
      superseded_by: superseded_by ?? null,
    },
  }
}

/** Only its publisher may say how a placement is rendered, and by whom. */
function inventedIn({ placements = [] }: MirrorInput): string | undefined {
  for (const [index, placement] of placements.entries()) {
    for (const member of ['presentation_ref', 'preview_provider'] as const) {
      if (Object.hasOwn(placement, member)) {
        return `/placements/${index}/${member} may only be set by the publisher: omit it from a mirror`
      }
    }
  }
  return undefined
}

/** The domains that it describes, in alphabetical order. */
export function publisherDomains(document: MirrorDocument): string[] {
  const found = new Set<string>()
  for (const list of [document.properties, document.placements, document.collections]) {
    for (const { publisher_domain: domain } of list ?? []) {
      if (typeof domain === 'string') found.add(domain)
    }
  }
  return [...found].sort()
}
