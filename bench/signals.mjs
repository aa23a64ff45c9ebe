// The search for signals: how good its answers are beside plain BM25, and how fast at which size.
// Flags: --part quality|speed (both), --split dev|unseen (both), --quick (quality without leaving out each layer in
// turn, which takes minutes), --sizes 1000,10000,…, --seconds N
import { parseArgs } from 'node:util'
import { measureQuality } from './signals/quality.mjs'
import { measureSpeed } from './signals/speed.mjs'

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      part: { type: 'string' },
      split: { type: 'string' },
      quick: { type: 'boolean', default: false },
      sizes: { type: 'string', default: '1000,10000,100000,1000000' },
      seconds: { type: 'string', default: '10' },
    },
  })
  if (values.part !== 'speed') {
    const splits = values.split === undefined ? ['dev', 'unseen'] : [values.split]
    await measureQuality(splits, { withAblation: !values.quick })
  }
  if (values.part !== 'quality') {
    await measureSpeed(values.sizes.split(',').map(Number), Number(values.seconds))
  }
}
