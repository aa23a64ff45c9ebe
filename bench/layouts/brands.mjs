// Forty brands for the check: light, dark and single colours, two and three of them, with a logo, with a disclaimer,
// with a name that is too long, with hardly any text and with too much. The words are those of a script's sample.

const COLOURS = [
  ['#0B3D2E', '#F2A541'],
  ['#FFD400'],
  ['#1D3A8A', '#F2A541', '#E11D48'],
  ['#111111'],
  ['#F5F5F0', '#1F2937'],
  ['#7F1D1D', '#FCD34D'],
  ['#E4002B'],
  ['#0E7490', '#FDE68A'],
  ['#8B5CF6', '#F9A8D4', '#22D3EE'],
  ['#FFFFFF', '#E4572E'],
  ['#374151', '#FBBF24'],
  ['#84CC16'],
  ['#FF6B35', '#004E89'],
  ['#2B2D42', '#EF233C', '#EDF2F4'],
  ['#C8B6A6', '#5C4033'],
  ['#00A8E8'],
  ['#FDE2E4', '#9D174D'],
  ['#155E75', '#FDBA74'],
  ['#808080'],
  ['#3A0CA3', '#4CC9F0'],
]

/** What besides the colours makes a brand hard: each is met by every second pair of colours. */
const TRAITS = [() => ({}), ({ offering }) => ({ disclaimers: [{ text: offering.description }] })]

const WORDS = [
  (sample) => sample,
  ({ offering: { name }, ...others }) => ({ ...others, offering: { name } }),
  ({ offering: { name, description }, ...others }) => ({
    ...others,
    offering: { name, description: `${description} ${description}`.slice(0, 140) },
  }),
  ({ brand, ...others }) => ({
    ...others,
    brand: { ...brand, name: `${brand.name} ${brand.name}` },
  }),
]

/** A plain wide sign, dark on nothing. */
const LOGO = {
  dataUri:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAYAAAD5PA/NAAAAEUlEQVR4nGNgYPj/n4GBgQEADAAC/1kSVtcAAAAASUVORK5CYII=',
  width: 400,
  height: 100,
}

export const BRAND_COUNT = COLOURS.length * TRAITS.length

/** The sample in the colours and with the troubles of a brand, 0 to 39. */
export function asBrand(sample, number) {
  const [primary, secondary, accent] = COLOURS[number % COLOURS.length]
  const trait = TRAITS[Math.floor(number / COLOURS.length)]
  const worded = WORDS[number % WORDS.length](sample)
  const colors = Object.fromEntries(
    Object.entries({ primary, secondary, accent }).filter(([, colour]) => colour !== undefined),
  )
  const logos = number % 7 === 3 ? { logos: [LOGO] } : {}
  return {
    ...worded,
    brand: { ...worded.brand, colors, ...trait(sample), ...logos },
    seed: `brand ${number}`,
  }
}
