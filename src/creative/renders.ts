// How a format's renders are read: what size each has, for whoever filters, draws or lists formats
// (spec 2.3).

import type { z } from 'zod'
import type { Format, renderDimensions } from '../protocol/schemas/format.ts'

export type RenderDimensions = z.infer<typeof renderDimensions>

/** The dimensions of every render that has some; what is only heard, and an open template, have none. */
export function dimensionsOf({ renders }: Format): RenderDimensions[] {
  return (renders ?? []).flatMap(({ dimensions }) =>
    dimensions === undefined || Object.keys(dimensions as object).length === 0
      ? []
      : [dimensions as RenderDimensions],
  )
}

/** Whether a size in pixels must come from the format id. */
export function takesDimensions({ accepts_parameters }: Format): boolean {
  return accepts_parameters?.includes('dimensions') ?? false
}
