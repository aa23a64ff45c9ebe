// The format identifier (spec 2.2): always an object, never a bare string. The kind of error in one is determined
// here, because it has a separate error code (spec 7.1).

import { z } from 'zod'
import { createRecentCache } from '../../lib/recent-cache.ts'
import { isObject, withRule } from './checks.ts'
import { atLeastOne, webUrl } from './common.ts'

const FORMAT_NAME = /^[a-zA-Z0-9_-]+$/

export const formatId = withRule(
  z.looseObject({
    agent_url: webUrl.describe('The creative agent that is authoritative for the format.'),
    id: z
      .string()
      .max(200)
      .regex(FORMAT_NAME, 'This must be letters, digits, _ and -, such as display_300x250.')
      .describe('Name of the format within that agent.'),
    width: atLeastOne.optional().describe('Width in pixels of a template format, with height.'),
    height: atLeastOne.optional().describe('Height in pixels of a template format, with width.'),
    duration_ms: z.number().min(1).optional().describe('Length in ms of a template format.'),
  }),
  ({ width, height }, report) => {
    if ((width === undefined) === (height === undefined)) return
    const lacking = width === undefined ? 'width' : 'height'
    report([lacking], 'Give width and height together, or neither.', 'dependentRequired')
  },
).meta({ examples: [{ agent_url: 'https://ads.example', id: 'display_300x250_image' }] })
export type FormatId = z.infer<typeof formatId>

export type FormatIdFault =
  | 'missing'
  | 'not_object'
  | 'bad_agent_url'
  | 'bad_id'
  | 'bad_parameters'
  | undefined

/** What is wrong with a value in the place of a format identifier; undefined if it is valid. */
export function formatIdFault(value: unknown): FormatIdFault {
  if (value === undefined || value === null) return 'missing'
  if (!isObject(value)) return 'not_object'
  const key = plainKeyOf(value)
  if (key !== undefined && sound.get(key)) return undefined
  const parsed = formatId.safeParse(value)
  if (parsed.success) {
    if (key !== undefined) sound.set(key, true)
    return undefined
  }
  const members = parsed.error.issues.map(({ path }) => path[0])
  if (members.includes('agent_url')) return 'bad_agent_url'
  return members.includes('id') ? 'bad_id' : 'bad_parameters'
}

/** Recently validated ids: a batch repeats the same few. */
const SOUND_IDS = 256
const sound = createRecentCache<true>(SOUND_IDS)

/** Equal for ids without parameters that are validated in the same way. */
function plainKeyOf({ agent_url, id, width, height, duration_ms }: Record<string, unknown>) {
  if (typeof agent_url !== 'string' || typeof id !== 'string') return undefined
  if (width !== undefined || height !== undefined || duration_ms !== undefined) return undefined
  return agent_url.length + id.length <= MAX_KEY_CHARS ? `${id} ${agent_url}` : undefined
}

const MAX_KEY_CHARS = 500

const FORMAT_ID_PLACE = /(^|\/)(target_|output_|input_)?format_ids?(\/|$)/

/** Whether an issue is about a format identifier, by its JSON pointer. */
export function isAboutFormatId(pointer: string): boolean {
  return FORMAT_ID_PLACE.test(pointer)
}
