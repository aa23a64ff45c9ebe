// What came of it: on the terminal, and in docs/interop.md. A failure counts unless known.json has it, with the proof that
// the grader is wrong.
import { readFileSync, writeFileSync } from 'node:fs'

/** By the transport, or all of them; each with the steps that it explains. */
const KNOWN = JSON.parse(readFileSync(new URL('./known.json', import.meta.url), 'utf8')).flatMap(
  ({ transport = '', steps, proof }) =>
    Object.entries(steps).flatMap(([storyboard, ids]) =>
      ids.map((step) => ({
        run: new RegExp(`${transport.toUpperCase()}$`),
        storyboard,
        step,
        proof,
      })),
    ),
)
const PAGE = new URL('../docs/interop.md', import.meta.url)
/** What a reader must know to distinguish a grade from a grade of something else. */
const INTRO = new URL('./intro.md', import.meta.url)

const count = (steps, outcome) => steps.filter((step) => step.outcome === outcome).length

export function report({ id, steps }, run) {
  const counts = ['passed', 'failed', 'skipped'].map((outcome) => count(steps, outcome))
  console.log(
    `${run.padEnd(32)} ${id.padEnd(52)} ${counts.map((n) => String(n).padStart(4)).join('')}`,
  )
  for (const step of steps) {
    if (step.outcome === 'failed') console.log(`      failed  ${step.id}: ${short(step.reason)}`)
    if (step.outcome === 'skipped') console.log(`      skipped ${step.id}: ${short(step.reason)}`)
  }
}

function short(text = '') {
  const line = text.replaceAll(/\s+/g, ' ').replace(/; agent tools: \[.*/, '')
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** The failures that are not known, as `run / storyboard / step`. */
export function unknownFailures(runs) {
  return runs.flatMap(({ name, results }) =>
    results.flatMap(({ id, steps }) =>
      steps
        .filter((step) => step.outcome === 'failed' && !isKnown(name, id, step.id))
        .map((step) => `${name} / ${id} / ${step.id}: ${short(step.reason)}`),
    ),
  )
}

function isKnown(run, storyboard, step) {
  return KNOWN.some(
    (one) => one.run.test(run) && one.storyboard === storyboard && one.step === step,
  )
}

export function writePage(runs, { sdk }) {
  const lines = [
    readFileSync(INTRO, 'utf8').replace('{sdk}', sdk),
    '## Results',
    '',
    '| run | passed | failed | skipped |',
    '|---|---|---|---|',
    ...runs.map(({ name, results }) =>
      rowOf(
        name,
        results.flatMap(({ steps }) => steps),
      ),
    ),
    '',
    ...runs.flatMap(({ name, results }) => [
      `### ${name}`,
      '',
      '| storyboard | passed | failed | skipped |',
      '|---|---|---|---|',
      ...results.map(({ id, steps }) => rowOf(id, steps)),
      '',
    ]),
    '## Steps that were skipped',
    '',
    'Every step, with the runs in which it was skipped, and why.',
    '',
    '| storyboard | steps | runs | why |',
    '|---|---|---|---|',
    ...skipRows(runs),
    '',
    '## Failures that are the grader’s',
    '',
    ...(KNOWN.length === 0
      ? ['None.']
      : [...new Set(KNOWN.map(({ proof }) => proof))].map(
          (proof) =>
            `- ${KNOWN.filter((one) => one.proof === proof)
              .map(({ storyboard, step }) => `\`${storyboard}\` ${step}`)
              .join(', ')}: ${proof}`,
        )),
    '',
  ]
  writeFileSync(PAGE, lines.join('\n'))
}

function rowOf(name, steps) {
  const cells = ['passed', 'failed', 'skipped'].map((outcome) => count(steps, outcome))
  return `| ${name} | ${cells.join(' | ')} |`
}

/** One row for the steps of a storyboard that were skipped for one reason, with the runs in which they were. */
function skipRows(runs) {
  const rows = new Map()
  for (const { name, results } of runs) {
    for (const { id, steps } of results) {
      for (const [reason, ids] of skippedByReason(steps)) {
        const key = `| \`${id}\` | ${ids.join(', ')} |`
        const row = rows.get(`${key}${reason}`) ?? { key, reason, names: [] }
        rows.set(`${key}${reason}`, { ...row, names: [...row.names, name] })
      }
    }
  }
  return [...rows.values()].map(
    ({ key, names, reason }) => `${key} ${names.join('; ')} | ${reason} |`,
  )
}

function skippedByReason(steps) {
  const byReason = new Map()
  for (const { id, reason } of steps.filter(({ outcome }) => outcome === 'skipped')) {
    const why = short(reason).replaceAll('|', '\\|')
    byReason.set(why, [...(byReason.get(why) ?? []), `\`${id}\``])
  }
  return byReason
}
