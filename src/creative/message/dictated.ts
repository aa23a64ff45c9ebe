// Texts that a message gives word for word: `Headline: "Big sale"`, `Titre : « … »`, `按钮：“立即选购”`.

import { LABELS, SAYS } from './lexicon/labels.ts'
import { ANYTHING, TALK } from './lexicon/talk.ts'
import { folded, outermost, type Phrases, phrasesOf, type Span } from './phrases.ts'
import {
  type FurtherText,
  giveText,
  type TextRole,
  type Texts,
  takeQuoted,
} from './quoted-texts.ts'
import { quotedAt } from './quotes.ts'

export interface Dictated {
  texts: Texts
  /** A second headline, a second button. */
  further: readonly FurtherText[]
  /** The rest of the message, with each label and its text replaced by a line end. */
  rest: string
}

const ROLES = Object.entries(LABELS).map(([role, labels]): [TextRole, Phrases] => [
  role as TextRole,
  phrasesOf(labels),
])
const SAYING = phrasesOf(SAYS)
const LEFT_TO_US = phrasesOf(TALK, ANYTHING)

interface Label extends Span {
  role: TextRole
  /** Where its words begin. */
  from: number
}

export function dictatedIn(reported: string): Dictated {
  const texts: Texts = {}
  const further: FurtherText[] = []
  const message = takeQuoted(reported, texts, further)
  const labels = labelsIn(message)
  let rest = ''
  let at = 0
  for (const [index, label] of labels.entries()) {
    if (label.start < at) continue
    const value = valueAt(message, label.from, labels[index + 1]?.start ?? message.length)
    if (value.text === '' || isLeftToUs(value.text)) continue
    giveText(texts, further, { role: label.role, text: value.text })
    rest += `${message.slice(at, label.start)}\n`
    at = value.end
  }
  return { texts, further, rest: rest + message.slice(at) }
}

/** `subline is up to you` gives no words. */
function isLeftToUs(value: string): boolean {
  return LEFT_TO_US.atStart(folded(value)) !== undefined
}

function labelsIn(message: string): Label[] {
  const text = folded(message)
  const found: Label[] = []
  for (const [role, phrases] of ROLES) {
    for (const span of phrases.all(text)) {
      const from = wordsBegin(message, span)
      if (from !== undefined) found.push({ ...span, role, from })
    }
  }
  // `button text` is one label, and so is `text` in it: the longer one counts.
  return outermost(found)
}

const BEFORE = /(?:^|[.,;:!?…。！？、，；：）)/|"”“»」』’״–—-]|\n) ?$/u
const COLON = /^ {0,2}[:=：＝] {0,2}/
const DASH = /^ [–—-] /
/** For Korean, Japanese and Chinese, before what is said. */
const PARTICLE = /^(?:은|는|이|가|には|は|を|是|为|為)(?=[\s"“「『‘])/u
const BLANKS = /^ {0,2}/

/** After the marker that words follow; undefined if the label is used as an ordinary word. */
function wordsBegin(message: string, { start, end }: Span): number | undefined {
  const particle = PARTICLE.exec(message.slice(end, end + 3))?.[0].length ?? 0
  return wordsAfter(message, start, end + particle)
}

function wordsAfter(message: string, start: number, end: number): number | undefined {
  const after = message.slice(end, end + 60)
  const colon = COLON.exec(after)?.[0]
  if (colon !== undefined) return end + colon.length
  const isFirst = BEFORE.test(message.slice(Math.max(0, start - 3), start))
  const dash = DASH.exec(after)?.[0]
  if (dash !== undefined && isFirst) return end + dash.length
  const blanks = (BLANKS.exec(after)?.[0] ?? '').length
  if (quotedAt(message, end + blanks)) return end + blanks
  const rest = folded(after)
  const says = SAYING.atStart(rest)
  if (!says || says.start > 1) return undefined
  const then = end + says.end
  const colonThen = COLON.exec(message.slice(then, then + 6))?.[0]
  const at = then + (colonThen ?? BLANKS.exec(message.slice(then, then + 3))?.[0] ?? '').length
  const isReported = colonThen !== undefined || quotedAt(message, at) !== undefined
  // `the text is short` does not give a text.
  return isReported ||
    /^(?:the |our |die |der |le |la |el |il |de |het )?$/i.test(lead(message, start)) ||
    isFirst
    ? at
    : undefined
}

/** The text before the label in its sentence. */
function lead(message: string, start: number): string {
  let from = start
  while (from > 0 && start - from < 40 && !'.,;:!?\n'.includes(message.charAt(from - 1))) from--
  return message.slice(from, start).trimStart()
}

const VALUE_END = /[.;\n。！？]|[!?](?=\s|$)| \/ |,(?= (?:and |und |et |y |e |en )?$)/

/** In quotation marks, or up to the end of the sentence or the next label. */
function valueAt(message: string, from: number, next: number): { text: string; end: number } {
  const quoted = quotedAt(message, from)
  if (quoted) {
    const mark = /^[.,;]/.exec(message.slice(quoted.end, quoted.end + 1)) ? 1 : 0
    return { text: quoted.text, end: quoted.end + mark }
  }
  const span = message.slice(from, Math.min(next, from + 300))
  const found = VALUE_END.exec(span)
  const end = found ? found.index : span.length
  const mark = found && /[!?！？]/.test(found[0]) ? 1 : 0
  const text = span.slice(0, end + mark).trim()
  const trimmed = text.replace(/(?:,| and| und| et| y| e| en|\/)$/i, '').trim()
  return { text: trimmed, end: from + (found ? end + found[0].length : end) }
}
