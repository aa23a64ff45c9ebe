// docs/performance.md and its plots.
import { plotOf } from './plot.mjs'
import { cellsOf } from './rows.mjs'

export function pageOf({ rows, growth, machine, minutes }) {
  const ratios = rows.filter((row) => row.base)
  const values = rows.filter((row) => !row.base)
  return `# Performance

This page is written by \`npm run bench\`. Each path is measured beside a baseline in the same run, in alternating rounds, so
that a busy machine slows both. A ratio is Adwire's throughput divided by the baseline's, or the baseline's processor time
divided by Adwire's: 1 is as fast as the baseline, and more is better. In brackets are the lowest and the highest round.

Measured on ${machine}, in ${Math.round(minutes)} minutes.

## Beside hand-written code

The minimal sender and receiver (\`bench/minima/\`) are the shortest programs with the same guarantees: each message is one row,
committed to disk in shared commits, claimed and finished in batches, and signed or verified by hand for one key and one
profile. They have no quotas, circuits, fair turns, retries with back-off, key rotation, history or metrics. For PostgreSQL,
processor time includes the database's.

| path | Adwire | baseline | ratio | aim | met |
| --- | --- | --- | --- | --- | --- |
${ratios.map(ratioLine).join('\n')}

## Absolute figures

| path | measured | aim | met |
| --- | --- | --- | --- |
${values.map(valueLine).join('\n')}

## Growth

${growth.map(growthText).join('\n\n')}

## Repeat it

\`\`\`sh
npm run bench                            # everything, about 20 minutes; writes this page
npm run bench -- --quick                 # small counts, about 3 minutes; writes nothing
npm run bench -- --only sign,look-up     # some paths
npm run bench -- --against v1.0.0        # normal calls of another commit beside this build
npm run bench -- delivery                # one subject in more detail
\`\`\`

Use a machine that does nothing else. Two cores that serve, load and run PostgreSQL at the same time limit each other:
compare ratios, not rates.
`
}

export function plotsOf({ growth }) {
  return growth.map((one) => [fileOf(one), plotOf(one)])
}

function fileOf({ title }) {
  return `growth-${title.replaceAll(/[^a-z]+/g, '-')}.svg`
}

function ratioLine(row) {
  const { path, ours, beside, result, aim, isMet } = cellsOf(row)
  return `| ${path} | ${ours} | ${beside} | ${result} | ${aim} | ${metText(isMet)} |`
}

function valueLine(row) {
  const { path, ours, aim, isMet } = cellsOf(row)
  return `| ${path} | ${ours} | ${aim} | ${metText(isMet)} |`
}

function metText(isMet) {
  if (isMet === undefined) return ''
  return isMet ? 'yes' : '**no**'
}

function growthText(one) {
  const { title, x, y, points } = one
  const rows = points.map(
    (point) =>
      `| ${point.x.toLocaleString('en')} | ${point.y.toPrecision(3)} | ${Math.round(point.mb)} MB |`,
  )
  return `![${title}: ${y} by number of ${x}](images/${fileOf(one)})

| ${x} | ${y} | resident memory |
| --- | --- | --- |
${rows.join('\n')}`
}
