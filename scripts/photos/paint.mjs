// What the painted photos have in common: light, blur, discs of light out of focus, and grain.
import sharp from 'sharp'

export const [WIDTH, HEIGHT] = [1600, 1200]

/** The same numbers in every run. */
export function rolls(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

export function linear(id, stops, { x = 0, y = 1 } = {}) {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${x}" y2="${y}">${stopsOf(stops)}</linearGradient>`
}

export function radial(id, stops, { cx = 0.5, cy = 0.5, r = 0.5 } = {}) {
  return `<radialGradient id="${id}" cx="${cx}" cy="${cy}" r="${r}">${stopsOf(stops)}</radialGradient>`
}

function stopsOf(stops) {
  return stops
    .map(
      ([at, colour, opacity = 1]) =>
        `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
    )
    .join('')
}

/** Lights out of focus. */
export function bokeh(seed, colours, { count = 40, top = 0, bottom = HEIGHT, size = 70 } = {}) {
  const roll = rolls(seed)
  const discs = Array.from({ length: count }, () => {
    const [x, y] = [roll() * WIDTH, top + roll() * (bottom - top)]
    const r = size * (0.35 + roll())
    const colour = colours[Math.floor(roll() * colours.length)]
    const opacity = (0.12 + roll() * 0.3).toFixed(2)
    return (
      `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${r.toFixed(0)}" fill="${colour}" opacity="${opacity}"/>` +
      `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${r.toFixed(0)}" fill="none" stroke="${colour}" stroke-width="3" opacity="${opacity}"/>`
    )
  })
  return `<g filter="url(#soft)">${discs.join('')}</g>`
}

const FILTERS = [3, 8, 18, 40, 80]
  .map(
    (size, index) =>
      `<filter id="${['soft', 'blur', 'haze', 'shade', 'glow'][index]}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${size}"/></filter>`,
  )
  .join('')

/** A JPEG of what is painted, with the grain of film and darker corners where it is not a plain studio. */
export async function develop({ defs, body, isPlain = false }, seed) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><defs>${FILTERS}${radial(
    'vignette',
    [
      [0.55, '#000', 0],
      [1, '#000', 0.42],
    ],
    { r: 0.75 },
  )}${defs}</defs>${body}${isPlain ? '' : `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#vignette)"/>`}</svg>`
  const roll = rolls(seed)
  const grain = Buffer.alloc(WIDTH * HEIGHT)
  const depth = isPlain ? 3 : 11
  for (let at = 0; at < grain.length; at++)
    grain[at] = 128 + Math.round((roll() + roll() - 1) * depth)
  const noise = await sharp(grain, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .blur(0.6)
    .png()
    .toBuffer()
  return sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .composite([{ input: noise, blend: 'overlay' }])
    .jpeg({ quality: 92 })
    .toBuffer()
}
