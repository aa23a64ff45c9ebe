// One sentence about what was done, for the response (spec 4.2), with the figures of what was actually drawn.

import type { Direction, Positive } from './direction.ts'
import { type DrawnState, groundUnder, logoArea, textSizeOf } from './drawn.ts'

export function detailOf(direction: Direction, returned: DrawnState, before: DrawnState): string {
  if (direction.kind === 'not_supported') return direction.reason
  if (direction.kind === 'not') return `Avoided, as requested: ${NAMES[direction.of.kind]}.`
  return doneOf(direction, returned, before)
}

function doneOf(direction: Positive, returned: DrawnState, before: DrawnState): string {
  const { ad } = returned
  switch (direction.kind) {
    case 'greyscale':
      return 'Everything is drawn in shades of grey.'
    case 'background':
      return `The background is ${direction.colour === 'darker' || direction.colour === 'lighter' ? `${direction.colour}: ` : ''}${ad && groundUnder(ad)}.`
    case 'main_colour':
      return `The main colour is ${direction.colour}.`
    case 'text_colour':
      return `The headline is ${direction.colour}.`
    case 'button_colour':
      return `The button is ${direction.colour}.`
    case 'logo_size':
      return `The logo is ${changeOf(Math.sqrt(ratioOf(returned, before, logoArea)), direction.change)}.`
    case 'headline_size':
      return `The headline is ${changeOf(
        ratioOf(returned, before, (one) => textSizeOf(one, 'headline')),
        direction.change,
      )}.`
    case 'text_size': {
      const role = returned.texts.description === '' ? 'headline' : 'description'
      return `The text is ${changeOf(
        ratioOf(returned, before, (one) => textSizeOf(one, role)),
        direction.change,
      )}.`
    }
    case 'logo_place':
      return `The logo is ${PLACES[direction.place]}.`
    case 'text_place':
      return `The text is ${PLACES[direction.place]}.`
    case 'photo_place':
      return `The photo is ${PLACES[direction.place]}.`
    case 'logo':
    case 'photo':
    case 'button':
    case 'price':
      return direction.isWanted
        ? `The ${direction.kind} is included.`
        : `The ${direction.kind} is left out.`
    case 'letter_case':
      return {
        capitals: 'Set in capitals.',
        lowercase: 'Set in lower case.',
        no_capitals: 'Nothing is set in capitals throughout.',
      }[direction.letters]
    case 'avoid':
      return 'The words do not appear.'
    case 'emoji':
      return 'There are no emojis.'
    case 'exclamation_marks':
      return 'There are no exclamation marks.'
    case 'text_length':
      return direction.length === 'headline_only'
        ? 'There is no text below the headline.'
        : 'The text is shorter.'
    case 'button_words':
    case 'button_language':
      return `The button says “${returned.texts.call_to_action}”.`
    case 'tone':
      return `${toneParts(returned, before)} a tone that is ${direction.tone}.`
    case 'mention':
      return 'It is included in the text.'
    case 'advertisement':
      return 'An advertisement was built.'
  }
}

/** What differs from the version without the tone: often only the button. */
function toneParts({ ad, texts }: DrawnState, before: DrawnState): string {
  const isOther = (role: keyof DrawnState['texts']) =>
    texts[role] !== before.texts[role] && texts[role] !== ''
  const parts = [
    ...(isOther('headline') ? ['the headline'] : []),
    ...(isOther('description') ? ['the text'] : []),
    ...(isOther('call_to_action') ? [`the button “${texts.call_to_action}”`] : []),
    ...(cornersOf(ad) !== cornersOf(before.ad) ? ['the corners'] : []),
  ]
  const names = parts.length === 0 ? 'the shapes' : parts.join(' and ')
  const isOne = parts.length === 1 && names !== 'the corners'
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${isOne ? 'follows' : 'follow'}`
}

function cornersOf(ad: DrawnState['ad']): string {
  const shapes = ad?.parts.flatMap((part) => part.shapes) ?? []
  return shapes.flatMap((shape) => / rx="[^"]*"/.exec(shape)?.[0] ?? []).join()
}

const PLACES = {
  left: 'on the left',
  right: 'on the right',
  top: 'at the top',
  bottom: 'at the bottom',
  centre: 'centred',
} as const

const NAMES: Readonly<Record<Positive['kind'], string>> = {
  greyscale: 'black and white',
  background: 'that background',
  main_colour: 'that colour',
  text_colour: 'that colour of the text',
  button_colour: 'that colour of the button',
  logo_size: 'the logo in another size',
  text_size: 'the text in another size',
  headline_size: 'the headline in another size',
  logo_place: 'the logo in that place',
  text_place: 'the text in that place',
  photo_place: 'the photo in that place',
  logo: 'the logo',
  photo: 'the photo',
  button: 'the button',
  price: 'the price',
  letter_case: 'those letters',
  avoid: 'those words',
  emoji: 'emojis',
  exclamation_marks: 'exclamation marks',
  text_length: 'that length',
  button_words: 'those words on the button',
  button_language: 'that language on the button',
  tone: 'that tone',
  mention: 'those words',
  advertisement: 'an advertisement',
}

function ratioOf(
  { ad }: DrawnState,
  before: DrawnState,
  measure: (ad: NonNullable<DrawnState['ad']>) => number,
): number {
  if (!ad || !before.ad) return 1
  const was = measure(before.ad)
  return was === 0 ? 1 : measure(ad) / was
}

function changeOf(ratio: number, change: 'larger' | 'smaller'): string {
  return `${Math.round(Math.abs(ratio - 1) * 100)} % ${change}`
}
