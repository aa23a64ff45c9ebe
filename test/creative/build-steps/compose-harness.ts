// Drafts of a request without a server: what is composed before anything is drawn, for any format of the catalogue.

import { composeCreatives } from '../../../src/creative/build-steps/compose-creative.ts'
import type { Draft } from '../../../src/creative/build-steps/draft.ts'
import type { Known } from '../../../src/creative/build-steps/job.ts'
import type { BuildCreativeRequest } from '../../../src/protocol/schemas/build-creative.ts'
import type { Format } from '../../../src/protocol/schemas/format.ts'
import { catalogue } from '../../support/creative.ts'

export const FORMATS: readonly Format[] = catalogue().formats

export function formatNamed(id: string): Format {
  const found = FORMATS.find(({ format_id }) => format_id.id === id)
  if (!found) throw new Error(`there is no format ${id}`)
  return found
}

export interface DraftPreference {
  request: BuildCreativeRequest
  format: Format
  /** The format of the request's own manifest. */
  sourceFormat?: Format
  known?: Partial<Known>
}

/** Throws the refusal of what cannot be built. */
export function draftOf({ request, format, sourceFormat, known }: DraftPreference): Draft {
  const drafts: Draft[] = []
  const plan = {
    json: JSON.stringify(request),
    formats: [format],
    sourceFormat,
    variants: 1,
    isFromLibrary: false,
    containers: ['mp4' as const],
  }
  composeCreatives({ plan, known: { ...NOTHING, ...known } }, (draft) => drafts.push(draft))
  return drafts[0] as Draft
}

const NOTHING: Known = {
  brand: { name: 'Acme', url: 'https://acme.example' },
  words: undefined,
  notes: [],
  photo: undefined,
  fonts: [],
  logo: undefined,
  pictures: new Map(),
  drawings: new Map(),
}
