// A row of the table, as text and as Markdown: a ratio beside a baseline, or a value with a limit.

/** The cells of a row: path, ours, baseline, ratio with its spread, aim, and whether the aim is met. */
export function cellsOf(row) {
  return row.base ? ratioCells(row) : valueCells(row)
}

export function textOf(row) {
  const { path, ours, beside, result, aim, isMet } = cellsOf(row)
  const verdict = isMet === false ? '  MISSED' : ''
  return `${path.padEnd(52)} ${ours.padStart(22)}  ${beside.padEnd(42)} ${result}  ${aim}${verdict}`
}

function ratioCells({ path, baseline, own, base, rate, cpu, by, aim }) {
  const counted = by === 'cpu' && cpu ? cpu : rate
  const rateText = `${spreadText(rate)} by throughput`
  const cpuText = cpu ? `, ${spreadText(cpu)} by processor time` : ''
  return {
    path,
    ours: `${perSecond(own.rate)}, ${micros(own.cpuUs)}`,
    beside: `${baseline}: ${perSecond(base.rate)}, ${micros(base.cpuUs)}`,
    result: rateText + cpuText,
    aim: aim === undefined ? '' : `≥ ${aim}${by === 'cpu' ? ' of processor time' : ''}`,
    isMet: aim === undefined ? undefined : counted.ratio >= aim,
  }
}

function valueCells({ path, value, unit, most, least }) {
  return {
    path,
    ours: `${rounded(value)} ${unit}`.replace(' /s', '/s'),
    beside: '',
    result: '',
    aim: most !== undefined ? `≤ ${most} ${unit}` : least !== undefined ? `≥ ${least}${unit}` : '',
    isMet: most !== undefined ? value <= most : least !== undefined ? value >= least : undefined,
  }
}

function spreadText({ ratio, low, high }) {
  const range = low === high ? '' : ` (${low.toFixed(2)}–${high.toFixed(2)})`
  return `${ratio.toFixed(2)}${range}`
}

function perSecond(rate) {
  return `${rounded(rate)}/s`
}

function micros(us) {
  if (!Number.isFinite(us)) return 'processor time unknown'
  return us >= 1_000 ? `${(us / 1_000).toFixed(2)} ms` : `${us.toFixed(0)} µs`
}

function rounded(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(0) : value.toFixed(1)
}
