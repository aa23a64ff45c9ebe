// The creatives of a call that were requested as images, with those images. The others are unchanged, and a creative
// that cannot be captured is refused on its own.

import { ProtocolError, type TaskError } from '../../protocol/errors.ts'
import type { DrawStills, StillCall, TakenStill } from '../stills/draw-stills.ts'
import type { SharedDrawing } from './draw-previews.ts'
import type { Rendered } from './render-manifest.ts'

export interface Pictured {
  /** Empty for a creative that is returned as pages. */
  stills: ReadonlyMap<Rendered, TakenStill>
  notes: readonly string[]
}

type Refused = { ok: false; errors: readonly TaskError[] }
/** `reported`: the remarks about it so far. */
type Drawn = { ok: true; item: SharedDrawing; reported: readonly string[] } | Refused

const NO_STILLS: Pictured['stills'] = new Map()

export async function withStills(
  drawn: readonly Drawn[],
  drawStills: DrawStills | undefined,
  call: StillCall,
): Promise<(({ ok: true; item: SharedDrawing } & Pictured) | Refused)[]> {
  const requested = drawn.flatMap((one) =>
    one.ok && one.item.output === 'image' ? [one.item] : [],
  )
  const taken = drawStills && requested.length > 0 ? await drawStills(requested, call) : []
  let at = 0
  return drawn.map((one) => {
    if (!one.ok) return one
    const { item, reported } = one
    if (item.output !== 'image') return { ok: true, item, stills: NO_STILLS, notes: reported }
    const still = taken[at++]
    if (!still) return { ok: false, errors: noStills().errors }
    if (!still.ok) return still
    return { ok: true, item, stills: still.stills, notes: [...reported, ...still.notes] }
  })
}

export function noStills(member = 'output_format'): ProtocolError {
  const message =
    'this server has no Chromium and cannot render previews as images: use url or html, ' +
    'or let the operator install Chromium (the package chromium) or set ADWIRE_CHROMIUM to its path'
  return new ProtocolError('UNSUPPORTED_FEATURE', message, { field: `/${member}` })
}
