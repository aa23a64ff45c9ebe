import type { ComposedAd } from '../../src/creative/layout-engine/compose.ts'
import type { Scene } from '../../src/creative/layout-engine/scene.ts'

export interface Verdict {
  /** The worst of all texts with what is behind them. */
  contrast: number
  /** Of the type, in pixels. */
  smallest: number
  /** Of the canvas, 0 to 1. */
  empty: number
  overlaps: number
  clipped: number
  unaligned: number
  /** Texts that are not whole, the description not counted. */
  lost: number
  /** 1 where there is a description and nothing of it is displayed. */
  undescribed: number
  /** In words; empty for an advertisement that nothing is wrong with. */
  faults: string[]
}

export interface SignatureVerifierPorts {
  toSvg(scene: Scene): string
  contrast(one: string, other: string): number
  /** Three bytes a pixel, `width` of them in a row. */
  drawGround: {
    (svg: string, width: number): Promise<Uint8Array>
    /** Whether it draws letters too, so that their ink can be looked for beyond the canvas. Default false. */
    isLettered?: boolean
  }
}

export function checkAd(ad: ComposedAd, ports: SignatureVerifierPorts): Promise<Verdict>
