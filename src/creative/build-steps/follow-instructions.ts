// Applies the instructions of a request to one creative (spec 4.2): its pictures and texts are made to follow them,
// and the outcome of each is derived from the result.

import { priceWords } from '../brand/offering-price.ts'
import { composeDirected, type DirectionResult } from '../directions/compose-directed.ts'
import { directedWords } from '../directions/directed-words.ts'
import { type Direction, type DirectionKind, OF_WORDS } from '../directions/direction.ts'
import type { InstructionOutcome } from '../directions/instruction.ts'
import { type DrawnResults, outcomesOf } from '../directions/outcomes.ts'
import type { AdInput, AdTexts } from '../layout-engine/ad-input.ts'
import { type ComposedAd, composeAd } from '../layout-engine/compose.ts'
import { type WrittenTexts, writeTexts } from '../layout-engine/texts.ts'
import { type DraftAsset, isPictureWork } from './draft.ts'
import type { BuildJob } from './job.ts'
import type { BuildSlot } from './slots.ts'

export interface Director {
  /** Also returns whether its photo was omitted because the request said so. */
  compose(input: AdInput): { ad: ComposedAd; isPhotoUnwanted: boolean }
  write(input: AdInput): WrittenTexts
  outcomes(assets: readonly DraftAsset[], slots: readonly BuildSlot[]): InstructionOutcome[]
}

export function directorFor({ instructions, material }: BuildJob): Director {
  const directions = instructions.flatMap((one) => one.directions)
  const [offering] = material.promoted.offerings
  const means = { price: offering && priceWords(offering) }
  const ads: (readonly DirectionResult[])[] = []
  let plain: AdTexts | undefined
  return {
    compose: (input) => {
      if (directions.length === 0) return { ad: composeAd(input), isPhotoUnwanted: false }
      const { ad, results } = composeDirected(input, directions, means)
      // The words of a native unit are in its own texts.
      const isReported = ({ direction }: DirectionResult) => !isOfWords(direction)
      ads.push(input.setting === 'native' ? results.filter(isReported) : results)
      return { ad, isPhotoUnwanted: results.some(isWithoutPhoto) }
    },
    write: (input) => {
      if (directions.length === 0) return writeTexts(input)
      plain = writeTexts(input).texts
      return directedWords(input, directions, means)
    },
    outcomes: (assets, slots) => {
      if (directions.length === 0) return []
      const words = wordsOf(assets, slots)
      const before = plain ?? words?.now.texts
      return outcomesOf(instructions, {
        ads,
        isCarried: assets.some(
          ({ content }) => isPictureWork(content) && 'picture' in content.from,
        ),
        hasLogoSlot: slots.some(
          ({ role, name }) => role === 'logo' && assets.some((asset) => asset.name === name),
        ),
        words: words && before ? { ...words, before: { texts: before } } : undefined,
      })
    },
  }
}

function isOfWords(direction: Direction): boolean {
  const positive = direction.kind === 'not' ? direction.of : direction
  return positive.kind === 'mention' || OF_WORDS.has(positive.kind as DirectionKind)
}

function isWithoutPhoto({ direction, outcome }: DirectionResult): boolean {
  return direction.kind === 'photo' && !direction.isWanted && outcome === 'followed'
}

const TEXT_ROLES = ['headline', 'description', 'call_to_action'] as const

/** The texts that were actually put into the slots. */
function wordsOf(
  assets: readonly DraftAsset[],
  slots: readonly BuildSlot[],
): Omit<NonNullable<DrawnResults['words']>, 'before'> | undefined {
  const texts: AdTexts = { headline: '', description: '', call_to_action: '' }
  const has = new Set<string>()
  for (const { name, part, content } of assets) {
    const slot = slots.find((one) => one.name === name && one.group?.part === part)
    const role = TEXT_ROLES.find((one) => one === slot?.role)
    if (!role || !('content' in content) || typeof content.content !== 'string') continue
    if (slot?.type !== 'text' && slot?.type !== 'markdown') continue
    texts[role] = `${texts[role]} ${content.content}`.trim()
    has.add(role)
  }
  return has.size === 0 ? undefined : { now: { texts }, has }
}

/** Whether the request excludes the logo. */
export function isLogoUnwanted({ instructions }: Pick<BuildJob, 'instructions'>): boolean {
  return instructions.some(({ directions }) =>
    directions.some((one) => one.kind === 'logo' && !one.isWanted),
  )
}
