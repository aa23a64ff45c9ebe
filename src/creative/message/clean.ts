// A message without the parts that are not language: markup, entities, macros. Text between tags is kept.

const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&euro;', '€'],
  ['&pound;', '£'],
])
/** Elements whose content is not displayed. */
const HIDDEN = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg'])
const TAG_NAME = /^<\/?([a-z][a-z\d-]{0,20})/i
const MAX_TAG = 2_000
/** Macros, by their delimiters. */
const MACROS = [
  ['{{', '}}'],
  ['${', '}'],
  ['{', '}'],
  ['%%', '%%'],
  ['[[', ']]'],
  ['[%', '%]'],
] as const
const MAX_MACRO = 80

export function withoutMarkup(text: string): string {
  let clean = withoutTags(text)
  clean = clean.replace(ENTITY, (entity) => ENTITIES.get(entity.toLowerCase()) ?? ' ')
  for (const [opening, closing] of MACROS) clean = withoutMacros(clean, opening, closing)
  return clean
}

function withoutMacros(text: string, opening: string, closing: string): string {
  const kept: string[] = []
  let from = 0
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at)) {
    const start = at + opening.length
    const length = text.slice(start, start + MAX_MACRO).indexOf(closing)
    const name = length < 1 ? '' : text.slice(start, start + length).trim()
    if (!isMacro(name)) {
      at++
      continue
    }
    kept.push(text.slice(from, at))
    from = start + length + closing.length
    at = from
  }
  kept.push(text.slice(from))
  return kept.join(' ')
}

function isMacro(name: string): boolean {
  return name !== '' && !/[{}[\]%]/.test(name)
}

/** A tag begins with a name; `5 < 6` is not a tag. */
function withoutTags(text: string): string {
  const kept: string[] = []
  const lower = text.toLowerCase()
  /** Elements that nothing ends. */
  const endless = new Set<string>()
  let from = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const name = TAG_NAME.exec(text.slice(at, at + 24))?.[1]?.toLowerCase()
    const isComment = text.startsWith('<!--', at)
    const end = isComment ? text.indexOf('-->', at) : text.indexOf('>', at)
    if ((name === undefined && !isComment) || end < 0 || end - at > MAX_TAG) {
      at++
      continue
    }
    kept.push(text.slice(from, at))
    from = end + (isComment ? 3 : 1)
    const isOpening = text.charAt(at + 1) !== '/'
    if (name !== undefined && isOpening && HIDDEN.has(name) && !endless.has(name)) {
      const close = lower.indexOf(`</${name}`, from)
      const closed = close < 0 ? -1 : text.indexOf('>', close)
      if (closed >= 0) from = closed + 1
      else endless.add(name)
    }
    at = from
  }
  kept.push(text.slice(from))
  return kept.join(' ')
}
