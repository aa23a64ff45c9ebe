// How a format's renders are read: the size of each, for code that filters, draws or lists formats (spec 2.3).

import type { z } from 'zod'
import type { Format, renderDimensions } from '../protocol/schemas/format.ts'

export type RenderDimensions = z.infer<typeof renderDimensions>

/** The dimensions of every render that has them; an audio-only render and an open template have none. */
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
