// The elements of a large JSON array, one at a time as the file streams in: of `[…]`, or of the member `signals` in
// an object. This only determines where each element ends; its reader determines whether it is valid JSON, so that
// one bad element does not spoil the others.

import { BrokenFile, type Chunks, MAX_ROW_CHARS } from '../../lib/row-files/broken-file.ts'

const MEMBER = 'signals'

/** Texts one after the other; undefined for one that is too long. Throws BrokenFile if the array itself is broken. */
export async function* jsonElements(chunks: Chunks): AsyncGenerator<string | undefined> {
  const source = createSource(chunks)
  if ((await source.peek()) === '\ufeff') source.skip()
  const opening = await source.peek()
  if (opening === '{') await enterMember(source)
  else if (opening !== '[') {
    throw new BrokenFile(`a .json file is an array of signals, or an object with "${MEMBER}"`)
  }
  source.skip()
  if ((await source.peek()) !== ']') {
    for (let index = 0; ; index++) {
      yield await source.value()
      const next = await source.peek()
      if (next === ']') break
      if (next !== ',') {
        throw new BrokenFile(`expected , or ] after element ${index}, not ${returned(next)}`)
      }
      source.skip()
    }
  }
  source.skip()
  const rest = opening === '[' ? await source.peek() : undefined
  if (rest !== undefined) throw new BrokenFile(`unexpected ${returned(rest)} after the array`)
}

/** Skips to the array that is the member's value, past the members before it. */
async function enterMember(source: Source): Promise<void> {
  for (let mark: string | undefined = '{'; mark === '{' || mark === ','; ) {
    source.skip()
    const name = await source.value()
    if ((await source.peek()) !== ':') break
    source.skip()
    if (name === `"${MEMBER}"`) {
      if ((await source.peek()) === '[') return
      throw new BrokenFile(`"${MEMBER}" must be an array`)
    }
    await source.value()
    mark = await source.peek()
  }
  throw new BrokenFile(`the object has no member "${MEMBER}" with an array of signals`)
}

function returned(character: string | undefined): string {
  return character === undefined ? 'the end of the file' : JSON.stringify(character)
}

interface Source {
  /** The next character that is not white space; undefined at the end. It is not consumed. */
  peek(): Promise<string | undefined>
  /** Consumes the character that `peek` returned. */
  skip(): void
  /** The text of the next value; undefined if it is too long. */
  value(): Promise<string | undefined>
}

function createSource(chunks: Chunks): Source {
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
  let text = ''
  let at = 0

  /** Discards everything before `from` and reads more. Returns whether there was more. */
  async function more(from: number): Promise<boolean> {
    const next = await iterator.next()
    if (next.done) return false
    text = text.slice(from) + next.value
    at -= from
    return true
  }

  async function peek(): Promise<string | undefined> {
    for (;;) {
      while (at < text.length && isSpace(text.charCodeAt(at))) at++
      if (at < text.length) return text[at]
      if (!(await more(at))) return undefined
    }
  }

  async function value(): Promise<string | undefined> {
    await peek()
    const scan = valueScan()
    let start = at
    let isTooLong = false
    for (;;) {
      at = scan(text, at)
      isTooLong ||= at - start > MAX_ROW_CHARS
      if (at < text.length) return isTooLong ? undefined : text.slice(start, at)
      const from = isTooLong ? at : start
      start = 0
      if (!(await more(from))) {
        throw new BrokenFile('the file ends in the middle: it was not written or copied whole')
      }
    }
  }

  return {
    peek,
    skip: () => {
      at++
    },
    value,
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Continues scanning a value, chunk by chunk: returns where the value ends, or the end of the chunk. */
function valueScan(): (text: string, from: number) => number {
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isClosed = false
  return (text, from) => {
    for (let at = from; at < text.length; at++) {
      if (isClosed) return at
      const code = text.charCodeAt(at)
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (code === BACKSLASH) isEscaped = true
        else if (code === QUOTE) {
          isInString = false
          isClosed = depth === 0
        }
      } else if (code === QUOTE) isInString = true
      else if (isOpening(code)) depth++
      else if (isClosing(code)) {
        if (depth === 0) return at
        isClosed = --depth === 0
      } else if (depth === 0 && (code === COMMA || code === COLON || isSpace(code))) return at
    }
    return text.length
  }
}

const COMMA = 0x2c
const COLON = 0x3a

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
