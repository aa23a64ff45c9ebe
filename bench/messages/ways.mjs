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

/** Parts of the model that are made to say nothing, beside the rules. */
export const MODEL_PARTS = { 'the network': withoutNetwork, 'the hashed features': withoutFeatures }
export const RULES = LAYERS

function withoutNetwork(file) {
  return changed(file, ({ floats }, at) => {
    // The last two are the weights and biases from which the scores of the network come.
    const all = floats.reduce((sum, count) => sum + count, 0)
    const last = floats.at(-1) + floats.at(-2)
    return [at + 4 * (all - last), 4 * last]
  })
}

function withoutFeatures(file) {
  return changed(file, ({ floats, bytes }, at) => [
    at + 4 * floats.reduce((sum, count) => sum + count, 0),
    bytes[0],
  ])
}

/** With zeros in the place that `placeOf` finds from the head of the file and where the weights begin. */
function changed(file, placeOf) {
  const copy = new Uint8Array(file)
  const length = new DataView(copy.buffer).getUint32(0, true)
  const head = JSON.parse(new TextDecoder().decode(copy.subarray(4, 4 + length)))
  const [from, count] = placeOf(head, Math.ceil((4 + length) / 4) * 4)
  return copy.fill(0, from, from + count)
}
