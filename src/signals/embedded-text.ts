// The words by which a signal is understood: what the sentence model reads of it, and what its vector
// is kept under.

import type { CatalogueSignal } from './catalogue.ts'

/** In a form that every database holds and every tokenizer reads. */
export function embeddedText({
  name,
  description,
}: Pick<CatalogueSignal, 'name' | 'description'>): string {
  return `${name}. ${description}`.replace(UNREADABLE, ' ')
}

/** Control characters, and halves of surrogate pairs. */
const UNREADABLE = /\p{Cc}|\p{Surrogate}/gu
