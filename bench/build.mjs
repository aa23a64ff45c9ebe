// What building costs: pictures per second of compose and draw for Latin, Japanese and a photo, beside a bare
// resvg and sharp that only turn an SVG of one rectangle into a PNG of the same size, measured alternately in
// the same run; and the most memory that the process took.
// Flags: --seconds=N for each case (default 6); --beside=FOLDER measures Latin with another tree's dist/ too
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { renderAsync } from '@resvg/resvg-js'
import sharp from 'sharp'
import { PHOTO_SAMPLES, photoOf } from '../scripts/photo-samples.mjs'
import { SCRIPT_SAMPLES } from '../scripts/script-samples.mjs'

const SIZE = { width: 300, height: 250 }
/** Of one case before the next has its turn: what else the machine does then meets all of them. */
const TURN_MS = 500

export async function run(flags) {
  const options = { seconds: { type: 'string', default: '6' }, beside: { type: 'string' } }
  const { values } = parseArgs({ args: flags, options })
  const ours = await engineIn(new URL('..', import.meta.url))
  const [latin, japanese] = ['Deutsch', '日本語'].map((language) =>
    SCRIPT_SAMPLES.find((sample) => sample.language === language),
  )
  const [photo] = PHOTO_SAMPLES.filter(({ subject }) => subject === 'cup')
  const bytes = await photoOf(photo)
  const cases = new Map([
    ['bare SVG to PNG', bare],
    ['Latin', (turn) => draw(ours, latin, turn)],
    ['Japanese', (turn) => draw(ours, japanese, turn)],
    ['photo, cropped once', await withPhoto(ours, photo, bytes)],
    ['photo, with its crops', async (turn) => (await withPhoto(ours, photo, bytes))(turn)],
  ])
  if (values.beside) {
    const theirs = await engineIn(pathToFileURL(`${values.beside}/`))
    cases.set('Latin, other tree', (turn) => draw(theirs, latin, turn))
  }
  const results = await alternately(cases, Number(values.seconds) * 1_000)
  const baseline = results.get('bare SVG to PNG')
  for (const [name, { rate, rss }] of results)
    console.log(
      `${name.padEnd(24)}${rate.toFixed(1).padStart(8)} pictures/s${(rate / baseline.rate).toFixed(2).padStart(8)} of bare${String(rss).padStart(7)} MB`,
    )
  console.log(`most memory of the process: ${mostMemory()} MB`)
}

async function engineIn(root) {
  const load = (file) => import(new URL(`dist/creative/${file}`, root).href)
  const [{ composeAd }, { drawImage }] = await Promise.all([
    // An older tree has it elsewhere.
    load('layout-engine/compose.js').catch(() => load('generation/compose.js')),
    load('pictures/draw-image.js'),
  ])
  const { cropPhoto } = await load('pictures/crop-photo.js').catch(() => ({}))
  return { composeAd, drawImage, cropPhoto }
}

/** Another seed each time: no two advertisements are the same. */
function draw({ composeAd, drawImage }, { brand, offering, message, photo }, turn) {
  const input = { brand, offering, message, seed: String(turn), ...SIZE }
  const { svg } = composeAd(photo ? { ...input, photo } : input)
  return drawImage(svg, { ...SIZE, type: photo ? 'jpeg' : 'png' })
}

async function withPhoto(engine, sample, bytes) {
  const cropped = await engine.cropPhoto({ bytes, ...SIZE, maxBytes: 250_000 })
  return (turn) => draw(engine, { ...sample, photo: cropped.photo }, turn)
}

async function bare() {
  const { width, height } = SIZE
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#0b5d4e"/></svg>`
  const { pixels } = await renderAsync(svg, { font: { loadSystemFonts: false } })
  const raw = { width, height, channels: 4 }
  return sharp(pixels, { raw }).removeAlpha().png({ compressionLevel: 9 }).toBuffer()
}

async function alternately(cases, budgetMs) {
  const results = new Map([...cases.keys()].map((name) => [name, { count: 0, ms: 0, rss: 0 }]))
  for (const [name, make] of cases) await make(name)
  // The case that goes first changes: which case follows which costs some percent.
  const turns = [...cases]
  while ([...results.values()].some(({ ms }) => ms < budgetMs)) {
    turns.push(turns.shift())
    for (const [name, make] of turns) {
      const result = results.get(name)
      const started = performance.now()
      while (performance.now() - started < TURN_MS) {
        await make(result.count)
        result.count += 1
      }
      result.ms += performance.now() - started
      result.rss = Math.max(result.rss, Math.round(process.memoryUsage.rss() / 1e6))
    }
  }
  for (const result of results.values()) result.rate = (result.count * 1_000) / result.ms
  return results
}

function mostMemory() {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000)
}
