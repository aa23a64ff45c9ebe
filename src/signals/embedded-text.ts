// The text that represents a signal: the input of the sentence model, and the key of the stored vector.

import type { CatalogueSignal } from './catalogue.ts'

/** Normalized to a form that every database stores and every tokenizer reads. */
export function embeddedText({
  name,
  description,
}: Pick<CatalogueSignal, 'name' | 'description'>): string {
  return `${name}. ${description}`.replace(UNREADABLE, ' ')
}

/** Control characters, and halves of surrogate pairs. */
const UNREADABLE = /\p{Cc}|\p{Surrogate}/gu
