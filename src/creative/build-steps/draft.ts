// A creative that is composed and not drawn yet: its words and addresses stand, its pictures are
// described.

import type { SentAsset } from '../../protocol/schemas/assets.ts'
import type { InstructionOutcome } from '../directions/instruction.ts'
import type { Role } from '../layout-engine/scene.ts'
import type { MessagePart } from '../message/account.ts'
import type { FileLimits } from '../pictures/file-limits.ts'
import type { FitOptions } from '../pictures/fit-image.ts'
import type { Film } from '../video/draw-video.ts'
import type { PixelSize, SlotRole } from './slots.ts'

export interface Draft {
  /** In the order of the slots; several under one name are a repeatable group. */
  assets: readonly DraftAsset[]
  notes: readonly string[]
  /** What became of each part of the message. */
  reading: readonly MessagePart[]
  /** What became of each instruction. */
  outcomes: readonly InstructionOutcome[]
  /** What was wrong with this build, for the log of the operator. */
  faults?: readonly string[]
}

export interface DraftAsset {
  name: string
  /** In a group of several parts, which one it is. */
  part?: string
  isGroup: boolean
  /** Whether it came with the request and is handed on as it was. */
  isCarried: boolean
  content: SentAsset | PictureWork | VideoWork
  /** The words that can be read in it, as displayed. */
  words: readonly DrawnText[]
}

export interface DrawnText {
  /** What it is in its picture, or what its slot is for. */
  role: Role | SlotRole
  text: string
}

/** A picture to be drawn, or brought to a size. */
export interface PictureWork extends PixelSize {
  kind: 'picture'
  from: { svg: string } | { picture: PictureKey; preferences: FitOptions; asset?: SentAsset }
  /** The types allowed, and the largest file. */
  limits: FileLimits
  altText: string | undefined
}

/** A video to be made of drawn frames. */
export interface VideoWork {
  kind: 'video'
  film: Film
  /** The address of the sound that it is made with. Default: it is silent. */
  sound?: string
}

/** Which of the pictures that were gathered. */
type PictureKey = { of: 'logo' } | { of: 'manifest'; url: string } | { of: 'model'; shape: string }

export function isPictureWork(content: DraftAsset['content']): content is PictureWork {
  return (content as { kind?: unknown }).kind === 'picture'
}

export function isVideoWork(content: DraftAsset['content']): content is VideoWork {
  return (content as { kind?: unknown }).kind === 'video'
}
