// Shorter messages made of the labelled ones, since people also send a single clause: one segment alone, a few segments
// in a row, and the same in lower case without the mark at the end.
import { randomFrom } from './labelled.mjs'

const ALONE = { segment: 0.35, few: 0.25, plain: 0.2 }
/** Scaffolding that nobody sends alone. */
const NOT_ALONE = new Set(['label', 'make', 'button'])

export function withFragments(messages, seed = 3) {
  const random = randomFrom(seed)
  return messages.flatMap((message) => {
    const { l, r, s: segments } = message
    const made = [message]
    if (random() < ALONE.segment) {
      const [role, text, kind] = segments[Math.floor(random() * segments.length)]
      const isWhole = text.trim().split(/\s+/).length > 1 || text.trim().length > 8
      if (role !== 'chat' && role !== 'cta' && isWhole && !NOT_ALONE.has(kind)) {
        made.push({ l, r, s: trimmed([[role, text, kind]]) })
      }
    }
    if (random() < ALONE.few && segments.length > 3) {
      const from = Math.floor(random() * (segments.length - 2))
      const count = 2 + Math.floor(random() * 2)
      made.push({ l, r, s: trimmed(segments.slice(from, from + count)) })
    }
    if (random() < ALONE.plain) {
      const lower = segments.map(([role, text, kind]) => [role, text.toLowerCase(), kind])
      made.push({ l, r, s: trimmed(lower) })
    }
    return made.filter(({ s }) => s.length > 0)
  })
}

/** Without what joined them to other segments. */
function trimmed(segments) {
  const first = segments.map((segment) => [...segment])
  first[0][1] = first[0][1].replace(/^[\s,;:.)–—-]+/, '')
  const last = first.at(-1)
  last[1] = last[1].replace(/[\s,;:.(–—-]+$/, '')
  return first.filter(([, text]) => text !== '')
}
