// The ways to make the words of an ad of a message that are compared: the reader, its layers switched off, its thresholds,
// and two that read nothing. In process and without pictures; the account of a build comes with it.
import { readFileSync } from 'node:fs'
import { LAYERS } from './layers.mjs'

const BRAND = { name: 'Zzbrand' }
const SHIPPED = new URL('../../dist/creative/message/reading/weights/reader.bin', import.meta.url)

export const shippedWeights = () => new Uint8Array(readFileSync(SHIPPED))

/** `draw` gives texts and notes for a message, `readWith` changes the weights, `known` may be drawn always. */
export async function loadReader() {
  const { writeTexts } = await import('../../dist/creative/layout-engine/texts.js')
  const { readMessage } = await import('../../dist/creative/message/read-message.js')
  const { accountOf } = await import('../../dist/creative/message/account.js')
  const { checkPreference } = await import('../../dist/creative/message/check-preference.js')
  const { unreportedFacts } = await import('../../dist/creative/message/guard-drawn.js')
  const { OWN_PHRASES } = await import('../../dist/creative/message/lexicon/own-words.js')
  const { readerModel, readWith } = await import('../../dist/creative/message/reading/models.js')
  const { labelledTokens } = await import('../../dist/creative/message/reading/labelled-tokens.js')
  const draw = (message, without = []) => {
    const { texts } = writeTexts({ brand: BRAND, message }, without)
    const printed = [BRAND.name, ...Object.values(texts)]
    const read = readMessage(message, without)
    const check = (preference) => checkPreference(preference, { read, printed, hasLogo: false })
    const reported = { text: message, spans: read.spans, printed }
    const { notes } = accountOf({ ...reported, check })
    const lost = unreportedFacts({ ...reported, notes }).map(({ text }) => `“${text}”`)
    const omitted = lost.length > 0 ? [`omitted: ${lost.join(', ')}`] : []
    return { texts: printed, notes: notes.concat(omitted) }
  }
  // The reading of the last message is kept.
  const switchTo = (weights, least) => {
    readWith(weights, least)
    labelledTokens('')
    draw('another message')
  }
  const { least } = readerModel()
  return { draw, switchTo, least, known: [BRAND.name].concat(OWN_PHRASES) }
}

export const printNothing = () => ({ texts: [BRAND.name], notes: [] })
export const printAll = (message) => ({ texts: [BRAND.name, message], notes: [] })

/** The model with parts left out, beside the rules. */
export const MODEL_PARTS = { 'the second and third network': withOneNetwork }
export const RULES = LAYERS

/** Of a file of weights, which src/creative/message/reading/models.ts describes. */
function withOneNetwork(file) {
  const all = Buffer.from(file)
  const length = all.readUInt32LE(0)
  const { scales, floats, bytes, ...head } = JSON.parse(all.toString('utf8', 4, 4 + length))
  const from = weightsAt(length)
  const kept = 1 + (floats.length - 1) / bytes.length
  const tablesFrom = from + 4 * sum(floats)
  const one = { ...head, scales: [scales[0]], floats: floats.slice(0, kept), bytes: [bytes[0]] }
  const text = Buffer.from(JSON.stringify(one))
  const start = Buffer.alloc(weightsAt(text.length), ' ')
  start.writeUInt32LE(text.length, 0)
  text.copy(start, 4)
  const dense = all.subarray(from, from + 4 * sum(one.floats))
  return new Uint8Array(
    Buffer.concat([start, dense, all.subarray(tablesFrom, tablesFrom + bytes[0])]),
  )
}

/** After a head of this length, at a multiple of four. */
function weightsAt(length) {
  return Math.ceil((4 + length) / 4) * 4
}

function sum(counts) {
  return counts.reduce((total, count) => total + count, 0)
}
