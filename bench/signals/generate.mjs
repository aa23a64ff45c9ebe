// Signals in any number for the speed of the search: words of the demo catalogue put together anew, so
// that they are spread as in life, and every run has the same.
import { readdirSync, readFileSync } from 'node:fs'

const DEMO = new URL('../../src/signals/demo/', import.meta.url)
const PLATFORMS = ['the-trade-desk', 'index-exchange', 'openx', 'pubmatic', 'liveramp', 'sandbox']
const COUNTRIES = ['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL', 'CA', 'AU', 'JP', 'BR', 'MX']

export function demoCatalogue() {
  return readdirSync(DEMO)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .flatMap((file) => readFileSync(new URL(file, DEMO), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line))
}

/** The demo catalogue first, then what is made of it. */
export function* generateSignals(count) {
  const demo = demoCatalogue()
  const random = generator(7)
  const pick = (list) => list[Math.floor(random() * list.length)]
  for (let n = 0; n < count; n++) {
    if (n < demo.length) {
      yield demo[n]
      continue
    }
    const [one, other] = [pick(demo), pick(demo)]
    yield {
      signal_agent_segment_id: `generated-${n.toString(36)}`,
      name: `${half(one.name, 0)} ${half(other.name, 1)} ${n % 97}`,
      description: `${one.description.split('. ')[0]}. ${other.description.split('. ').at(-1)}`,
      signal_type: 'marketplace',
      data_provider: one.data_provider,
      coverage_percentage: Math.round(random() * 900) / 10,
      countries: COUNTRIES.filter(() => random() < 0.3),
      pricing: { cpm: Math.round(random() * 1_200) / 100, currency: 'USD' },
      deployments: PLATFORMS.filter(() => random() < 0.5).map((platform) => ({
        type: 'platform',
        platform,
      })),
      tags: other.tags ?? [],
    }
  }
}

function half(name, which) {
  const words = name.split(' ')
  const middle = Math.ceil(words.length / 2)
  return (which === 0 ? words.slice(0, middle) : words.slice(middle)).join(' ')
}

/** Mulberry32: small, and the same everywhere. */
function generator(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
