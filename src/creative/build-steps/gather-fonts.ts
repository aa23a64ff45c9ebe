// The fonts of a brand (spec 2.4): fetched through the egress guard, and checked in the worker pool, since a font is
// an untrusted program. A font that cannot be used only causes a note: the words are set in another.

import { isTooCostly } from '../../lib/worker-pool/worker-pool-error.ts'
import type { NamedFont } from '../brand/brand-fonts.ts'
import type { CreativeWorkerPool, OnBehalf } from '../jobs/creative-worker-pool.ts'
import { costOf } from '../jobs/too-costly.ts'
import type { BrandFont, CheckedFont, FontRole } from '../layout-engine/shaping/brand-fonts.ts'
import { MAX_BRAND_FONT_BYTES } from '../limits.ts'
import { fetchBytes, type ImageSources } from './fetch-image.ts'

export interface FontGathering {
  ports: ImageSources & { workerPool: CreativeWorkerPool }
  by: OnBehalf & { signal: AbortSignal }
  note: (text: string) => void
}

export async function gatherFonts(
  named: readonly NamedFont[],
  { ports, by, note }: FontGathering,
): Promise<BrandFont[]> {
  const fonts: BrandFont[] = []
  for (const font of named) {
    const limits = { maxBytes: MAX_BRAND_FONT_BYTES, accept: FONT_TYPES, signal: by.signal }
    const fetched = await fetchBytes(font.url, ports, limits)
    const read = fetched.ok ? await checked(fetched.bytes, ports.workerPool, by) : fetched
    if (fetched.ok && read.ok) {
      fonts.push({ role: roleOf(font, read.family), bytes: fetched.bytes })
    } else if (!read.ok) note(`the font ${nameOf(font)} was left out: ${read.reason}`)
  }
  return fonts
}

const FONT_TYPES = 'font/woff2, font/woff, font/otf, font/ttf, */*;q=0.1'

function checked(
  bytes: Uint8Array,
  workerPool: CreativeWorkerPool,
  by: OnBehalf,
): Promise<CheckedFont> {
  return workerPool.run('read_font', { bytes }, by).catch((error: unknown) => {
    if (isTooCostly(error)) return { ok: false as const, reason: costOf(error) }
    throw error
  })
}

/** A file of the family for body text is used for that; every other one is used for headlines first. */
function roleOf({ role, secondary }: NamedFont, family: string): FontRole {
  if (role) return role
  const plain = (name: string) => name.toLowerCase().replaceAll(' ', '')
  const isSecond = secondary !== undefined && plain(secondary) === plain(family)
  return isSecond ? 'secondary' : 'primary'
}

/** The last part of its address. */
function nameOf({ url }: NamedFont): string {
  const path = url.slice(0, 500).split(/[?#]/)[0] ?? ''
  return path.split('/').at(-1) || path
}
