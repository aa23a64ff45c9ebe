// Builds a picture of each of 200 messages of authors that the reader was not trained on, for people to evaluate: a
// page with each message, its picture and its notes, and contact sheets of twenty. Needs dist/ and the weights of
// `npm run messages:folds`. node scripts/message-pictures.mjs FOLDER
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startServer, stopServer, untilReady } from '../bench/support/processes.mjs'
import { randomFrom, readAuthors, shuffle } from './message-reader/authors.mjs'
import { trainedFolds } from './message-reader/folds.mjs'
import { sheetsOf } from './message-reader/picture-sheets.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SERVERS = join(ROOT, 'node_modules/.cache/adwire-messages/servers')
const BRAND = {
  name: 'Northwind',
  url: 'https://northwind.example',
  colors: { primary: '#0B5D4E', secondary: '#F2A541' },
}

const { values, positionals } = parseArgs({
  options: { count: { type: 'string', default: '200' } },
  allowPositionals: true,
})
const [folder = join(ROOT, 'node_modules/.cache/adwire-messages/pictures')] = positionals
mkdirSync(folder, { recursive: true })
const authors = readAuthors(join(ROOT, 'data/messages'))
const folds = trainedFolds(authors)
const returned = []
for (const { omitted, file } of folds) {
  const server = await serverOf(file)
  for (const one of chosen(omitted, Math.ceil(Number(values.count) / folds.length))) {
    const name = `${String(returned.length + 1).padStart(3, '0')}.png`
    const built = await build(server, one.message)
    if (built.picture) writeFileSync(join(folder, name), built.picture)
    returned.push({ ...one, ...built, name })
  }
  await stopServer(server)
}
rmSync(SERVERS, { recursive: true, force: true })
writeFileSync(join(folder, 'index.html'), pageOf(returned))
const sheets = await sheetsOf(returned)
for (const [index, sheet] of sheets.entries()) {
  writeFileSync(join(folder, `sheet-${String(index + 1).padStart(2, '0')}.png`), sheet)
}
console.log(
  `${returned.length} messages, ${sheets.length} contact sheets: ${join(folder, 'index.html')}`,
)

/** A server of the same code with the weights of a group of authors left out. */
async function serverOf(file) {
  const root = join(SERVERS, basename(file))
  cpSync(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'))
  const weights = join(root, 'dist/creative/message/reading/weights/reader.bin')
  cpSync(file, weights)
  const data = join(root, 'data')
  const args = ['serve', '--demo', '--no-console', '--port', '0', '--data', data]
  const server = await startServer([join(root, 'dist/cli/main.js')].concat(args), {
    ADWIRE_LOG_LEVEL: 'error',
  })
  await untilReady(server)
  return { ...server, key: readFileSync(join(data, 'demo-key'), 'utf8').trim() }
}

/** As many messages of each author, in a random order that is always the same. */
function chosen(names, count) {
  const random = randomFrom(11)
  const lists = authors
    .filter(({ author }) => names.includes(author))
    .map(({ author, messages }) => {
      const own = messages.map(({ l: language, r: register, s: segments }) => ({
        author,
        language,
        register,
        message: segments.map(([, text]) => text).join(''),
      }))
      shuffle(own, random)
      return own
    })
  return Array.from(
    { length: count },
    (_, at) => lists[at % lists.length][Math.floor(at / lists.length)],
  )
}

async function build({ host, port, key }, message) {
  const server = `http://${host}:${port}`
  const answer = await fetch(`${server}/v3/build_creative`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      target_format_id: { agent_url: server, id: 'display_300x250_generative' },
      message,
      creative_manifest: { assets: { promoted_offerings: { brand_manifest: BRAND } } },
    }),
  })
  const { creative_manifest, ext, errors } = await answer.json()
  if (!creative_manifest) return { notes: (errors ?? []).map(({ message: text }) => text) }
  const picture = await fetch(creative_manifest.assets.banner_image.url)
  return {
    picture: Buffer.from(await picture.arrayBuffer()),
    notes: ext?.build_notes ?? ext?.adwire?.build_notes ?? [],
  }
}

function pageOf(all) {
  const rows = all.map(
    (
      { name, language, register, message, notes, picture },
      index,
    ) => `<article lang="${escaped(language)}">
<h2>${index + 1} <small>${escaped(language)}, ${escaped(register ?? '')}</small></h2>
<pre dir="auto">${escaped(message)}</pre>
${picture ? `<img src="${name}" width="300" height="250" alt="">` : '<p>nothing was built</p>'}
<ul>${notes.map((note) => `<li dir="auto">${escaped(note)}</li>`).join('')}</ul>
</article>`,
  )
  return `<!doctype html><meta charset="utf-8"><title>Messages and what was drawn</title>
<style>body{font:15px/1.4 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem}
article{display:grid;grid-template-columns:1fr 300px;gap:.5rem 2rem;border-top:1px solid #ccc;padding:1rem 0}
h2,ul{grid-column:1/-1;margin:0}pre{white-space:pre-wrap;margin:0;font:inherit}small{font-weight:normal;color:#555}</style>
<h1>Messages and what was drawn</h1>
<p>Each message is of an author whose messages the reader was not trained on. The brand is Northwind, no offering was given.
Judge each: is everything on the picture meant for print; is all that was meant for print on it, or named in a note below; are the
notes true?</p>
${rows.join('\n')}
`
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
