// The tones that change the words and the corners of a button, and which of them a text requests.

import { TONES_BY_NAME } from './lexicon/manner.ts'
import { folded, phrasesOf } from './phrases.ts'

const TONES = ['urgent', 'premium', 'playful', 'friendly'] as const
export type Tone = (typeof TONES)[number]

export function toneOf(text: string): Tone | undefined {
  const said = folded(text)
  return TONES.find((tone) => TONE_PHRASES[tone].find(said) !== undefined)
}

const TONE_PHRASES = {
  urgent: phrasesOf(TONES_BY_NAME.urgent),
  premium: phrasesOf(TONES_BY_NAME.premium),
  playful: phrasesOf(TONES_BY_NAME.playful),
  friendly: phrasesOf(TONES_BY_NAME.friendly),
}
