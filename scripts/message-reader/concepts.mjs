// Makes the table of concepts from data/concepts: the words of each concept, a file for each language.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONCEPT_BITS } from '../../src/creative/message/concepts/concept-table.ts'
import {
  asStem,
  EMPTY_FORM,
  takesEndings,
  withBlank,
  withText,
} from '../../src/creative/message/concepts/form-hash.ts'
import { normalised, tokensOf } from '../../src/creative/message/reading/tokens.ts'

export function conceptBytes(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.tsv'))
  // English is first: it is what a form means where the language does not decide.
  const languages = files
    .map((file) => file.slice(0, -'.tsv'.length))
    .sort((a, b) => (b === 'en') - (a === 'en') || (a < b ? -1 : 1))
  const concepts = []
  const rows = new Map()
  for (const [language, code] of languages.entries()) {
    for (const line of readFileSync(join(folder, `${code}.tsv`), 'utf8').split('\n')) {
      const [concept, forms] = line.split('\t')
      if (!forms) continue
      if (!concepts.includes(concept)) concepts.push(concept)
      const meaning = (language << CONCEPT_BITS) | concepts.indexOf(concept)
      for (const form of forms.split(',')) {
        for (const hash of hashesOf(form.trim())) {
          // The first concept that a language lists a form under stands.
          const key = `${hash} ${language}`
          if (!rows.has(key)) rows.set(key, [hash, meaning])
        }
      }
    }
  }
  const sorted = [...rows.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const head = Buffer.from(JSON.stringify({ concepts, languages, rows: sorted.length }))
  const padded = Buffer.alloc(Math.ceil((4 + head.length) / 4) * 4, 32)
  padded.writeUInt32LE(head.length, 0)
  head.copy(padded, 4)
  return Buffer.concat([
    padded,
    Buffer.from(Uint32Array.from(sorted, ([hash]) => hash).buffer),
    Buffer.from(Uint16Array.from(sorted, ([, meaning]) => meaning).buffer),
  ])
}

function hashesOf(form) {
  const isStem = form.endsWith('*')
  const words = tokensOf(isStem ? form.slice(0, -1) : form).map(({ text }) => normalised(text))
  if (words.length === 0) return []
  let hash = EMPTY_FORM
  for (const [index, word] of words.entries()) {
    hash = withText(index === 0 ? hash : withBlank(hash), word)
  }
  const last = words.at(-1)
  return isStem || takesEndings(last) ? [asStem(hash), hash] : [hash]
}
