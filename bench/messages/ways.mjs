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
export const MODEL_PARTS = {
  'the networks': withoutNetwork,
  'the hashed features': withoutFeatures,
}
export const RULES = LAYERS

function withoutNetwork(file) {
  return changed(file, ({ floats, bytes }, at) => {
    // Of each network, the last two are the weights and biases from which its scores come.
    const networks = bytes.length - 1
    const each = (floats.length - 1) / networks
    return Array.from({ length: networks }, (_, network) => {
      const end = 1 + (network + 1) * each
      return [at + 4 * sum(floats.slice(0, end - 2)), 4 * sum(floats.slice(end - 2, end))]
    })
  })
}

function withoutFeatures(file) {
  return changed(file, ({ floats, bytes }, at) => [[at + 4 * sum(floats), bytes[0]]])
}

function sum(counts) {
  return counts.reduce((total, count) => total + count, 0)
}

/** With zeros in the places that `placesOf` finds from the head of the file and where the weights begin. */
function changed(file, placesOf) {
  const copy = new Uint8Array(file)
  const length = new DataView(copy.buffer).getUint32(0, true)
  const head = JSON.parse(new TextDecoder().decode(copy.subarray(4, 4 + length)))
  for (const [from, count] of placesOf(head, Math.ceil((4 + length) / 4) * 4)) {
    copy.fill(0, from, from + count)
  }
  return copy
}
