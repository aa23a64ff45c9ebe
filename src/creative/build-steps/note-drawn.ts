// What happened to the words of a picture or banner: nothing is omitted without notice. Letters that no font has make
// the build fail, since a word without them would be another word; symbols are omitted with a note, and a note also
// reports what had to be shortened.

import { ProtocolError } from '../../protocol/errors.ts'
import type { Photo } from '../layout-engine/ad-input.ts'
import type { ComposedAd, MissingLetters } from '../layout-engine/compose.ts'
import type { Offer } from '../layout-engine/offer.ts'
import { type SceneRole, saidIn } from '../layout-engine/scene.ts'
import { packageFor } from '../layout-engine/shaping/font-packages.ts'

/** Returns the same ad. Throws a ProtocolError when one of its words cannot be written. */
export function noteDrawn(ad: ComposedAd, note: (text: string) => void, photo?: Photo): ComposedAd {
  noteMissing(ad, note)
  const size = `${ad.width}x${ad.height}`
  for (const role of ad.shortened) note(shortenedNote(ad, role, size))
  if (photo && !ad.scene.photo) {
    note(`the photo was left out of ${size}: it would leave the words too little room`)
  }
  return ad
}

/** The same for letters only, for an ad that is not displayed as it is. */
export function noteMissing(ad: ComposedAd, note: (text: string) => void): ComposedAd {
  for (const missing of ad.missing) {
    if (missing.letters.some((letter) => LETTER.test(letter))) throw cannotWrite(missing)
    note(`${missing.role}: without ${listOf(missing.letters)}, ${remedyFor(missing.letters)}`)
  }
  return ad
}

const LETTER = /[\p{L}\p{N}\p{M}]/u
const MAX_NAMED = 12

function listOf(letters: readonly string[]): string {
  const more = letters.length - MAX_NAMED
  return letters.slice(0, MAX_NAMED).join(' ') + (more > 0 ? ` and ${more} more` : '')
}

function remedyFor(letters: readonly string[]): string {
  const fonts = packageFor(letters.join(''))
  const install = fonts ? `install ${fonts.name} (${fonts.scripts}), or ` : ''
  return `which no installed font has: ${install}add a font with them to ADWIRE_FONTS_DIR`
}

function cannotWrite({ role, letters }: MissingLetters): ProtocolError {
  const message = `the ${role} cannot be drawn with ${listOf(letters)}, ${remedyFor(letters)}`
  return new ProtocolError('UNSUPPORTED_FEATURE', message)
}

function shortenedNote({ parts, offer }: ComposedAd, role: SceneRole, size: string): string {
  const returned = saidIn(parts, role)
  if (role === 'description' && offer && parts.some((part) => part.role === 'offer')) {
    return `offer: in the ${size} image, which has no space for more, without ${leftOut(offer, returned)}`
  }
  return returned === ''
    ? `${role}: not in the picture of ${size}, which has no room for it`
    : `${role}: “${returned}” in the ${size} image, which has no space for more`
}

/** The statements and sentences that are not drawn, in quotation marks. */
function leftOut({ statements, rest }: Offer, drawn: string): string {
  const all = [...statements.map(({ text }) => text), ...(rest === '' ? [] : [rest])]
  const missing = all.filter((text) => !drawn.includes(text))
  return missing.map((text) => `“${text}”`).join(', ')
}
