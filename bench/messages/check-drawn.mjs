// Judges what an ad shows of one labelled message, and what its notes say: instructions that are printed, copy that is
// drawn, figures that are lost in silence, words that nobody gave, and notes that are not true. No I/O of its own.
import { fold, holds } from './fold.mjs'

const PRINTED = new Set(['headline', 'body', 'cta', 'legal', 'fact'])
/** So much of the copy must be drawn for a message to be right; slots are short. */
const MOST_OF_COPY = 0.9

/** `known` are texts whose words are no inventions: the brand, buttons of the product. */
export function checkDrawn({ message, segments }, { texts, notes }, known = []) {
  const drawn = unitsOf(texts.join(' | '))
  const isCopy = segments.map(([role]) => PRINTED.has(role))
  const copy = segments.filter((_segment, index) => isCopy[index]).map(([, text]) => text)
  const orders = segments.filter((_segment, index) => !isCopy[index]).map(([, text]) => text)
  const returned = new Set(drawn)
  const units = copy.flatMap(unitsOf)
  const drawnUnits = units.filter((unit) => returned.has(unit)).length
  const checked = {
    isInstructed: orders.some((text) => unitsOf(text).length > 0),
    isBare: copy.length === 0,
    isPrinting: printsAny(orders, copy, drawn),
    units: units.length,
    drawnUnits,
    lostFacts: lostFacts(copy, texts, notes),
    lostCopy: lostCopy(copy, drawn, notes),
    invented: inventedIn(texts, [message, ...known]),
    falseNotes: notes.filter((note) => isFalse(note, texts)),
  }
  const isRight =
    !checked.isPrinting &&
    drawnUnits >= MOST_OF_COPY * units.length &&
    [checked.lostFacts, checked.invented, checked.falseNotes].every(({ length }) => length === 0)
  return { ...checked, isRight }
}

/** Words; of scripts without blanks, letters in pairs. */
function unitsOf(text) {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
  return (plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((word) => {
    if (!UNSPACED.test(word)) return [word]
    return (word.match(/[\p{sc=Latin}\p{N}]+|\P{M}\p{M}*/gu) ?? []).flatMap((letter, at, all) => {
      const next = all[at + 1]
      if (next === undefined) return all.length === 1 ? [letter] : []
      return [letter + next]
    })
  })
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u

/** Two words in a row of what is not copy, or three pairs of letters; of a single word that word. */
function printsAny(orders, copy, drawn) {
  const returned = new Set(gramsOf(drawn))
  const own = new Set(copy.flatMap((text) => gramsOf(unitsOf(text))))
  return orders.some((text) => {
    const units = unitsOf(text)
    const grams = copy.length === 0 && units.length === 1 ? units : gramsOf(units)
    const all = grams === units ? new Set(drawn) : returned
    return grams.some((gram) => all.has(gram) && !own.has(gram))
  })
}

function gramsOf(units) {
  return units.slice(1).flatMap((unit, index) => {
    const before = units[index]
    if (!UNSPACED.test(unit)) return [`${before} ${unit}`]
    const next = units[index + 2]
    return next !== undefined && UNSPACED.test(before) ? [`${before} ${unit} ${next}`] : []
  })
}

/** Numbers, addresses and handles of the copy that neither the ad nor a note has. */
function lostFacts(copy, texts, notes) {
  const said = fold([...texts, ...notes].join(' | '))
  return copy.flatMap(figuresOf).filter((figure) => !holds(said, fold(figure)))
}

function figuresOf(text) {
  const addresses = (text.match(/\S+/gu) ?? [])
    .map((chunk) => chunk.replace(/^[^\p{L}\p{N}@]+|[^\p{L}\p{N}/]+$/gu, ''))
    .filter((chunk) => ADDRESS.test(chunk) && !UNSPACED.test(chunk))
  return [...addresses, ...(fold(text).match(/\p{N}+(?:[.:/]\p{N}+)*/gu) ?? [])]
}

const ADDRESS = /\p{sc=Latin}\.\p{sc=Latin}{2}|.@.|^@./u

const IN_SILENCE = 4

/** Pieces of copy of four words in a row or more that neither the ad nor a note has. */
function lostCopy(copy, drawn, notes) {
  const said = new Set([...drawn, ...notes.flatMap(unitsOf)])
  return copy.filter((text) => {
    let inRow = 0
    return unitsOf(text).some((unit) => {
      inRow = said.has(unit) ? 0 : inRow + 1
      return inRow >= IN_SILENCE
    })
  })
}

function inventedIn(texts, sources) {
  const given = new Set(sources.flatMap(unitsOf))
  const all = [...given].join(' ')
  // Small words are written together with others.
  const isPart = (word) =>
    /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Hang}]/u.test(word) && all.includes(word.replace(/^ال/, ''))
  return texts.flatMap(unitsOf).filter((unit) => !given.has(unit) && !isPart(unit))
}

/** What such a note quotes is not in the ad. */
const LEFT_OUT = /^omitted|not printed|^not followed.*to print it/
const WORDS_ENOUGH = 3

/** Says that something is not in the ad which is, or the reverse. */
function isFalse(note, texts) {
  const quoted = [...note.matchAll(/“([^”]+)”/gu)].map(([, text]) => text)
  const all = fold(texts.join(' | '))
  const isLong = (text) => unitsOf(text).length >= WORDS_ENOUGH
  const isThere = (text) => holds(all, fold(text.replace(/…/g, '')))
  if (note.startsWith('printed')) return quoted.some((text) => isLong(text) && !isThere(text))
  if (!LEFT_OUT.test(note)) return false
  return quoted.some((text) => isLong(text) && isThere(text))
}

/** Shares of messages. Of copy drawn: of its words. */
export function sharesOf(checked) {
  const share = (some, isSo) => (some.length === 0 ? null : some.filter(isSo).length / some.length)
  const total = (name) => checked.reduce((sum, one) => sum + one[name], 0)
  const units = total('units')
  return {
    messages: checked.length,
    printsInstruction: share(
      checked.filter(({ isInstructed }) => isInstructed),
      (one) => one.isPrinting,
    ),
    printsBare: share(
      checked.filter(({ isBare }) => isBare),
      (one) => one.isPrinting,
    ),
    copyDrawn: units === 0 ? null : total('drawnUnits') / units,
    losesFact: share(checked, ({ lostFacts: { length } }) => length > 0),
    losesCopy: share(checked, ({ lostCopy: { length } }) => length > 0),
    invents: share(checked, ({ invented: { length } }) => length > 0),
    falseNotes: share(checked, ({ falseNotes: { length } }) => length > 0),
    right: share(checked, ({ isRight }) => isRight),
  }
}
