// A creative that is composed but not drawn yet: its words and URLs are final, its pictures are described.

import type { SentAsset } from '../../protocol/schemas/assets.ts'
import type { InstructionOutcome } from '../directions/instruction.ts'
import type { SceneRole } from '../layout-engine/scene.ts'
import type { MessagePart } from '../message/account.ts'
import type { FileLimits } from '../pictures/file-limits.ts'
import type { FitOptions } from '../pictures/fit-image.ts'
import type { Film } from '../video/draw-video.ts'
import type { PixelSize, SlotRole } from './slots.ts'

export interface Draft {
  /** In the order of the slots; several with the same name are a repeatable group. */
  assets: readonly DraftAsset[]
  notes: readonly string[]
  /** The outcome of each part of the message. */
  reading: readonly MessagePart[]
  /** What became of each instruction. */
  outcomes: readonly InstructionOutcome[]
  /** The name of the style of what is drawn. Default: nothing is drawn in one. */
  style?: string
  /** What was wrong with this build, for the log of the operator. */
  faults?: readonly string[]
}

export interface DraftAsset {
  name: string
  /** Which part it is, in a group of several parts. */
  part?: string
  isGroup: boolean
  /** Whether it came with the request and is passed on unchanged. */
  isCarried: boolean
  content: SentAsset | PictureWork | VideoWork
  /** The words that can be read in it, as displayed. */
  words: readonly DrawnText[]
}

export interface DrawnText {
  /** Its role in its picture, or the role of its slot. */
  role: SceneRole | SlotRole
  text: string
}

/** A picture to be drawn or resized. */
export interface PictureWork extends PixelSize {
  kind: 'picture'
  from: { svg: string } | { picture: PictureKey; preferences: FitOptions; asset?: SentAsset }
  /** The types allowed, and the largest file. */
  limits: FileLimits
  altText: string | undefined
}

/** A video to be made from drawn frames. */
export interface VideoWork {
  kind: 'video'
  film: Film
  /** The URL of the sound to use. Default: no sound. */
  sound?: string
}

/** Identifies one of the pictures that were gathered. */
type PictureKey = { of: 'logo' } | { of: 'manifest'; url: string } | { of: 'model'; shape: string }

export function isPictureWork(content: DraftAsset['content']): content is PictureWork {
  return (content as { kind?: unknown }).kind === 'picture'
}

export function isVideoWork(content: DraftAsset['content']): content is VideoWork {
  return (content as { kind?: unknown }).kind === 'video'
}
