// Markup that is known to be safe, as opposed to texts that are not: every value inserted into a `markup` template is
// escaped, unless it is itself markup. So nothing in a manifest becomes a tag of a page.

import { escapeMarkup } from '../macros/substitute-macros.ts'

export interface Markup {
  readonly markup: string
}

type Value = Markup | readonly Markup[] | string | number | undefined | false

/** For texts, and for attributes in double quotes. */
export function markup(pieces: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let text = pieces[0] as string
  for (const [index, value] of values.entries()) text += written(value) + pieces[index + 1]
  return { markup: text }
}

export const EMPTY_MARKUP: Markup = { markup: '' }

function written(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeMarkup(value)
  if (typeof value === 'number') return String(value)
  if ('markup' in value) return value.markup
  return value.map((one) => one.markup).join('')
}
