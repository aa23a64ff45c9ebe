// What each layer of matching is worth: it is left out in turn, and the figures of the labelled questions
// stand beside those with all layers, and beside plain BM25.
import { LAYERS } from '../../dist/signals/matching/layers.js'
import { createMatchingService } from '../../dist/signals/search/matching-service.js'
import { askAll, figuresOf, LATER, LOOKED_AT, meanOf, questionsOf } from './labelled.mjs'

/** The kinds of questions that a layer was made for: there it must earn its place. */
const MADE_FOR = {
  spelling: ['typo'],
  slang: ['colloquial', 'paraphrase'],
  glosses: ['language'],
  negation: ['multi'],
  stages: ['stage'],
  tiers: ['tier'],
  table: ['typo', 'exact'],
  model: ['paraphrase'],
  elsewhere: ['nothing', 'nonsense'],
}

export async function measureAblation({ splits, stores, model, bm25 }) {
  // A wording means the same whatever else is left out.
  const remembered = { model: async () => rememberedBy(await model()) }
  for (const split of splits) {
    const questions = questionsOf(split)
    const ask = async (layers) => {
      const service = createMatchingService({
        stores,
        layers,
        onFault: console.error,
        ...remembered,
        modelStatus: () => ({ state: 'used' }),
      })
      const rows = await askAll(questions, service.search)
      await service.stop()
      return rows
    }
    const full = await ask(new Set(LAYERS))
    const plain = questions.map(({ query, kind, relevant }) => ({
      kind,
      query,
      apart: 0,
      figures: figuresOf(bm25(query, LOOKED_AT), relevant),
    }))
    console.log(`\n${split}: what is left without a layer, beside all of them and BM25\n`)
    console.log(
      '| without | hit@1 | hit@3 | nDCG@10 | made for | hit@1 | nDCG@10 | apart | changed |',
    )
    console.log('|---|---|---|---|---|---|---|---|---|')
    for (const left of [...LAYERS.map((layer) => [layer]), ['model', 'table']]) {
      const rows = await ask(new Set(LAYERS.filter((one) => !left.includes(one))))
      console.log(lineOf(left, rows, full))
    }
    console.log(totalsOf('nothing (all layers)', full))
    console.log(totalsOf('everything (BM25)', plain))
  }
}

const vectorsByText = new Map()

function rememberedBy(model) {
  const embed = async (text, ...by) => {
    const vector = vectorsByText.get(text) ?? (await model.embed(text, ...by))
    vectorsByText.set(text, vector)
    return vector
  }
  return model && { ...model, embed }
}

function lineOf(left, rows, full) {
  const kinds = MADE_FOR[left[0]]
  const own = (all) => all.filter(({ kind }) => kinds.includes(kind))
  const beside = (at) =>
    `${returned(meanOf(own(rows), ({ figures }) => figures[at]))} (${returned(meanOf(own(full), ({ figures }) => figures[at]))})`
  const apart = `${returned(meanOf(own(rows), (row) => row.apart))}`
  const gains = rows.map(({ figures }, at) => figures[4] - full[at].figures[4])
  const count = (test) => gains.filter(test).length
  const moved = `${count((gain) => gain < 0)} worse, ${count((gain) => gain > 0)} better`
  return `${totalsOf(left.join(' and '), rows)} ${kinds.join(', ')} | ${beside(0)} | ${beside(4)} | ${apart} | ${moved} |`
}

function totalsOf(name, rows) {
  const older = rows.filter(({ kind }) => !LATER.includes(kind))
  const figures = [0, 1, 4].map((at) => returned(meanOf(older, (row) => row.figures[at])))
  return `| ${name} | ${figures.join(' | ')} |`
}

const returned = (figure) => figure.toFixed(3)
