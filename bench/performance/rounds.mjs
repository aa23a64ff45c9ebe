// Measures Adwire beside a baseline in turn, so that what else the machine does meets both: rates and processor time, as
// the median ratio of the rounds with the lowest and the highest.

/**
 * @param {{ own: Way, base: Way }} ways
 * @param {number} rounds
 * @typedef {() => Promise<{ rate: number, cpuUs: number }>} Way items a second, processor time of one
 */
export async function inRounds({ own, base }, rounds) {
  const seen = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const found = {}
    for (const name of round % 2 === 0 ? ['own', 'base'] : ['base', 'own']) {
      found[name] = await (name === 'own' ? own() : base())
    }
    if (round > 0 || rounds === 0) seen.push(found)
  }
  const of = (side, what) => median(seen.map((found) => found[side][what]))
  return {
    own: { rate: of('own', 'rate'), cpuUs: of('own', 'cpuUs') },
    base: { rate: of('base', 'rate'), cpuUs: of('base', 'cpuUs') },
    rate: spread(seen.map((found) => found.own.rate / found.base.rate)),
    // The other way round, so that more is better in both.
    cpu: spread(seen.map((found) => found.base.cpuUs / found.own.cpuUs)),
  }
}

/** Repeats work for some time, with some at a time. */
export async function repeated(once, { ms, inFlight = 1 }) {
  let count = 0
  const began = performance.now()
  const before = process.cpuUsage()
  const lane = async () => {
    while (performance.now() - began < ms) {
      await once(count)
      count++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  const { user, system } = process.cpuUsage(before)
  return { rate: (count * 1_000) / (performance.now() - began), cpuUs: (user + system) / count }
}

function spread(ratios) {
  const known = ratios.filter(Number.isFinite)
  return { ratio: median(known), low: Math.min(...known), high: Math.max(...known) }
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
