// Text from third parties, for a terminal: escape sequences and control characters are removed, so that none can move
// the cursor, change colours or the title, or reverse the surrounding text. Other scripts stay unchanged.

/**
 * Control characters, lone surrogates, and marks that change the direction; joiners, which some scripts need, are
 * kept.
 */
const UNSHOWN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu
const BREAKS = /[\t\n\r\u0085\u2028\u2029]+/g

/** One line of it. */
export function printableText(text: string): string {
  return withoutEscapes(text).replace(BREAKS, ' ').replace(UNSHOWN, '').trim()
}

const ESCAPE = '\u001b'
const BELL = '\u0007'

/** ECMA-48: `ESC [ … letter`, strings such as `ESC ] … BEL`, and `ESC` with one character. */
function withoutEscapes(text: string): string {
  let kept = ''
  let from = 0
  for (let at = text.indexOf(ESCAPE); at >= 0; at = text.indexOf(ESCAPE, from)) {
    kept += text.slice(from, at)
    from = endOfEscape(text, at + 1)
  }
  return kept + text.slice(from)
}

function endOfEscape(text: string, at: number): number {
  const kind = text[at] ?? ''
  let end = at + 1
  if (kind === '[') {
    while (end < text.length && !isFinalByte(text.charCodeAt(end))) end += 1
    return end + 1
  }
  if (!']PX^_'.includes(kind) || kind === '') return end
  while (end < text.length && text[end] !== BELL && text[end] !== ESCAPE) end += 1
  return text[end] === ESCAPE && text[end + 1] === '\\' ? end + 2 : end + Number(text[end] === BELL)
}

function isFinalByte(code: number): boolean {
  return code >= 0x40 && code <= 0x7e
}

const MAX_PASTED = 2_048

/**
 * A third party's word inside a command that is printed for pasting: used only if every shell reads it as a single
 * word.
 */
export function pastedWord(word: string, placeholder: string): string {
  const isWord = word.length <= MAX_PASTED && /^[A-Za-z0-9_.:=+/][A-Za-z0-9_.:=+/-]*$/.test(word)
  return isWord ? word : placeholder
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const UNSEEN = /[\p{M}\u200b-\u200d]/u

function widthOfCharacter(character: string): number {
  if (UNSEEN.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** The number of terminal columns it occupies. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += widthOfCharacter(character)
  return width
}

/** Cut to the given number of columns, with a mark where something is missing. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const character of text) {
    width += widthOfCharacter(character)
    if (width > columns - 1) break
    kept += character
  }
  return `${kept}…`
}
