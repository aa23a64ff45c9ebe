// Still pictures of creatives that have been drawn as pages (spec 2.5): each page is opened in the browser with the
// policy it would be served with, together with its images. A creative that fails does not affect the others.

import { hash } from 'node:crypto'
import type { StillFile, StillRequest } from '../../lib/browser/take-still.ts'
import { isTooCostly } from '../../lib/worker-pool/worker-pool-error.ts'
import { ProtocolError, type TaskError, taskError } from '../../protocol/errors.ts'
import type { CreativeQuality } from '../../protocol/schemas/preview.ts'
import type { OnBehalf } from '../jobs/creative-worker-pool.ts'
import { costOf } from '../jobs/too-costly.ts'
import { MAX_REPORTED, MAX_STILL_PIXELS, MAX_STILL_WINDOW, MAX_STILLS } from '../limits.ts'
import type { PreviewStill } from '../preview-store.ts'
import type { DrawnItem } from '../rendering/draw-items.ts'
import type { Rendered } from '../rendering/render-manifest.ts'
import type { StillBrowser } from './still-browser.ts'
import { createFindFile, type FindFile, type StillFilePorts } from './still-files.ts'
import { withStillFonts } from './still-fonts.ts'

export interface StillPorts extends StillFilePorts {
  browser: StillBrowser
}

export interface StillCall {
  /** Of a creative that does not say. */
  quality?: CreativeQuality | undefined
  /** Files with URLs at which they are not stored yet. */
  files?: ReadonlyMap<string, StillFile> | undefined
  by: OnBehalf & { signal: AbortSignal }
}

type DrawnStills =
  | { ok: true; stills: ReadonlyMap<Rendered, TakenStill>; notes: readonly string[] }
  | { ok: false; errors: readonly TaskError[] }

export interface TakenStill {
  body: PreviewStill
  /** Equal pictures have the same. */
  digest: string
  /** What is displayed, in CSS pixels. */
  width: number
  height: number
}

/** One for each creative, in the same order. Throws if the number of images exceeds the limit of a call. */
export type DrawStills = (items: readonly DrawnItem[], call: StillCall) => Promise<DrawnStills[]>

export function createDrawStills(ports: StillPorts): DrawStills {
  return async (items, call) => {
    refuseMany(items)
    const { files = new Map(), by } = call
    const findFile = createFindFile(ports, { brought: files, signal: by.signal })
    const outcomes: DrawnStills[] = []
    // As many at once as there are browsers: the others of the call would only fill the queue.
    const waiting = items.entries()
    const lane = async () => {
      for (const [index, item] of waiting) {
        outcomes[index] = await drawItem(item, { ...call, findFile, browser: ports.browser })
      }
    }
    await Promise.all(Array.from({ length: ports.browser.atOnce }, lane))
    return outcomes
  }
}

function refuseMany(items: readonly DrawnItem[]): void {
  const count = items.reduce(
    (sum, { previews }) => sum + previews.reduce((all, { pages }) => all + pages.length, 0),
    0,
  )
  if (count <= MAX_STILLS) return
  const message = `${count} pictures are more than the ${MAX_STILLS} allowed per call: send fewer creatives or inputs`
  throw new ProtocolError('INVALID_REQUEST', message, { field: '/output_format' })
}

interface Taking extends StillCall {
  findFile: FindFile
  browser: StillBrowser
}

async function drawItem(item: DrawnItem, taking: Taking): Promise<DrawnStills> {
  const stills = new Map<Rendered, TakenStill>()
  const notes = new Set<string>()
  try {
    for (const page of item.previews.flatMap(({ pages }) => pages)) {
      const { files, missing } = await filesOf(page, taking.findFile)
      for (const note of missing) notes.add(note)
      const lettered = await withStillFonts(page)
      const request = requestOf(lettered, files, item.quality ?? taking.quality)
      const { png, isCut, ...size } = await taking.browser.take(request, taking.by)
      if (isCut) notes.add(`the picture is cut off after ${MAX_STILL_WINDOW} pixels`)
      const body: PreviewStill = { kind: 'still', bytes: png }
      stills.set(page, { body, digest: hash('sha256', png, 'base64url'), ...size })
    }
  } catch (error) {
    return { ok: false, errors: errorsOf(error) }
  }
  return { ok: true, stills, notes: [...notes].slice(0, MAX_REPORTED) }
}

/** A refusal or excessive cost affects only this creative; a full queue and an internal error affect all. */
function errorsOf(error: unknown): readonly TaskError[] {
  if (isTooCostly(error)) {
    const message = `no picture can be taken of this creative: ${costOf(error)}`
    return [taskError('VALIDATION_ERROR', message, { field: '/creative_manifest' })]
  }
  if (error instanceof ProtocolError && error.errors[0].code === 'UNSUPPORTED_FEATURE') {
    return error.errors
  }
  throw error
}

async function filesOf(
  { loads }: Rendered,
  findFile: FindFile,
): Promise<{ files: Map<string, StillFile>; missing: string[] }> {
  const files = new Map<string, StillFile>()
  const missing: string[] = []
  const found = await Promise.all(loads.map(async (url) => [url, await findFile(url)] as const))
  for (const [url, one] of found) {
    if (!one.ok) missing.push(`${url.slice(0, 500)} is not in the picture: ${one.reason}`)
    if (!one.ok) continue
    files.set(url, one.file)
    // On a secure page a browser requests http: images over https:.
    const secure = url.replace(/^http:/, 'https:')
    if (!files.has(secure)) files.set(secure, one.file)
  }
  return { files, missing }
}

/** If a format specifies no size, the creative is displayed at the width of a typical page. */
const PAGE = { width: 800, height: 600 }
/** How long scripts continue after everything is loaded: a fade-in has ended by then. */
const SETTLE_MS: Record<CreativeQuality, number> = { draft: 250, production: 1_000 }
const SCALE: Record<CreativeQuality, number> = { draft: 1, production: 2 }

function requestOf(
  { html, csp, width, height, hasFrame }: Rendered,
  files: StillRequest['files'],
  quality: CreativeQuality = 'draft',
): StillRequest {
  const isSized = Number.isInteger(width) && Number.isInteger(height)
  const size = isSized ? { width: width as number, height: height as number } : PAGE
  if (Math.max(size.width, size.height) > MAX_STILL_WINDOW) throw tooLarge(size)
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': csp,
      'x-dns-prefetch-control': 'off',
    },
    files,
    ...size,
    scale: SCALE[quality],
    maxSide: MAX_STILL_PIXELS,
    maxHeight: MAX_STILL_WINDOW,
    // In a window of exactly its size a creative is alone; the others are on a card.
    element: isSized ? undefined : '.stage',
    settleMs: hasFrame ? SETTLE_MS[quality] : 0,
  }
}

function tooLarge({ width, height }: { width: number; height: number }): ProtocolError {
  const message = `${width} × ${height} is too large for a picture: a side has at most ${MAX_STILL_WINDOW} pixels; use output_format url`
  return new ProtocolError('UNSUPPORTED_FEATURE', message, { field: '/output_format' })
}
