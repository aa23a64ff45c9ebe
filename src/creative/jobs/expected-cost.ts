// Which jobs are small: expected to take a fraction of a second, judging by the content of the request. They have
// reserved processes that long jobs cannot use.

import type { BuildCreativeRequest } from '../../protocol/schemas/build-creative.ts'
import type { WorkName, Works } from './works.ts'

const KIB = 1_024
const SMALL_CHARS = 256 * KIB
/** Of the request of a build. */
const SMALL_BUILD_CHARS = 64 * KIB
/** The maximum number of creatives composed or planned in a small job. */
const SMALL_COMPOSED = 3
const SMALL_PLANNED = 10
/** Longer messages and lists may contain many instructions, each of which requires several compositions. */
const SMALL_MESSAGE_CHARS = 1_000
const SMALL_INSTRUCTIONS = 3
const SMALL_CHECKED = 50
const SMALL_PIXELS = 500_000

type IsSmall<Name extends WorkName> = (request: Works[Name]['request'], bytes: number) => boolean

const byBytes = (_: unknown, bytes: number) => bytes <= SMALL_CHARS
const never = () => false

const IS_SMALL: { [Name in WorkName]: IsSmall<Name> } = {
  draw_previews: byBytes,
  show_page: byBytes,
  // A manifest is checked once for each of its items.
  check_manifests: ({ manifests, items }) => {
    if (items.length > SMALL_CHECKED) return false
    let chars = 0
    for (const { manifest } of items) chars += manifests[manifest]?.length ?? 0
    return chars <= SMALL_CHARS
  },
  read_brand: byBytes,
  read_manifest: byBytes,
  read_adagents: byBytes,
  check_file: ({ bytes }) => bytes.byteLength <= SMALL_CHARS,
  // Only the header of a picture that is not drawn is read.
  read_picture: (_, bytes) => bytes <= 8 * SMALL_CHARS,
  // A few bytes may unfold to millions of pixels.
  read_logo: never,
  crop_photo: never,
  read_fonts: never,
  read_font: never,
  check_reading: ({ message }, bytes) =>
    message.length <= SMALL_MESSAGE_CHARS && bytes <= SMALL_CHARS,
  guard_words: () => true,
  plan_build: ({ json, formats }) =>
    json.length <= SMALL_BUILD_CHARS && formats.length <= SMALL_PLANNED,
  compose_creatives: ({ plan, known }) =>
    plan.json.length <= SMALL_BUILD_CHARS &&
    plan.formats.length <= SMALL_COMPOSED &&
    known.fonts.length === 0 &&
    hasFewInstructions(plan.json),
  draw_picture: ({ from, width, height }) => 'svg' in from && width * height <= SMALL_PIXELS,
  draw_video: never,
}

function hasFewInstructions(json: string): boolean {
  const { message = '', instructions = [] } = JSON.parse(json) as BuildCreativeRequest
  return message.length <= SMALL_MESSAGE_CHARS && instructions.length <= SMALL_INSTRUCTIONS
}

/** `bytes` is the size of the request. */
export function isSmallWork<Name extends WorkName>(
  work: Name,
  request: Works[Name]['request'],
  bytes: number,
): boolean {
  return (IS_SMALL[work] as IsSmall<Name>)(request, bytes)
}
