// How a format's renders are read: what size each has, for whoever filters, draws or lists formats
// (spec 2.3).

import type { z } from 'zod'
import type { Format, renderDimensions } from '../protocol/schemas/format.ts'

export type RenderDimensions = z.infer<typeof renderDimensions>

/** The dimensions of every render that has some; a template's have none until it is concrete. */
export function dimensionsOf({ renders }: Format): RenderDimensions[] {
  return (renders ?? []).flatMap(({ dimensions }) =>
    dimensions === undefined ? [] : [dimensions as RenderDimensions],
  )
}

/** Whether a size in pixels must come from the format id. */
export function takesDimensions({ accepts_parameters }: Format): boolean {
  return accepts_parameters?.includes('dimensions') ?? false
}
