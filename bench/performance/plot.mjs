// A curve with logarithmic axes as SVG, legible on light and on dark pages.

const [WIDTH, HEIGHT] = [480, 240]
const [LEFT, RIGHT, TOP, BOTTOM] = [56, 16, 32, 40]

/** @param {{ title: string, x: string, y: string, points: { x: number, y: number }[] }} growth */
export function plotOf({ title, x, y, points }) {
  const xs = points.map((point) => Math.log10(point.x))
  const largest = Math.max(...points.map((point) => point.y))
  const top = niceAbove(largest)
  const [from, to] = [Math.min(...xs), Math.max(...xs)]
  const across = (value) =>
    LEFT + ((Math.log10(value) - from) / (to - from || 1)) * (WIDTH - LEFT - RIGHT)
  const down = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM)
  const line = points.map((point) => `${at(across(point.x))},${at(down(point.y))}`).join(' ')
  const ticks = points.map(
    (point) =>
      `<text x="${at(across(point.x))}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${point.x.toLocaleString('en')}</text>`,
  )
  const grid = [0, top / 2, top].map(
    (value) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(down(value))}" y2="${at(down(value))}" class="grid"/><text x="${LEFT - 6}" y="${at(down(value) + 4)}" text-anchor="end">${Number(value.toPrecision(3))}</text>`,
  )
  const dots = points.map(
    (point) => `<circle cx="${at(across(point.x))}" cy="${at(down(point.y))}" r="3.5"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}: ${y} by number of ${x}">
<style>text{font:12px system-ui,sans-serif;fill:#444}.grid{stroke:#ddd}polyline{fill:none;stroke:#0b6e99;stroke-width:2}circle{fill:#0b6e99}.title{font-weight:600;fill:#111}@media(prefers-color-scheme:dark){text{fill:#bbb}.grid{stroke:#444}polyline{stroke:#5ab9e0}circle{fill:#5ab9e0}.title{fill:#eee}}</style>
<text x="${LEFT}" y="18" class="title">${title}: ${y}</text>
${grid.join('\n')}
<polyline points="${line}"/>
${dots.join('\n')}
${ticks.join('\n')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${x}</text>
</svg>
`
}

function at(value) {
  return value.toFixed(1)
}

/** The next of 1, 2 or 5 times a power of ten. */
function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value
}
