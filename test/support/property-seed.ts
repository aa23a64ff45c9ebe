// Property tests of one run and of the next see the same values, so that a red run is red again;
// ADWIRE_TEST_SEED=random looks for new ones, any number repeats the run that printed it.

import fc from 'fast-check'

const requested = process.env.ADWIRE_TEST_SEED

if (requested !== 'random') {
  const seed = Number(requested ?? 20_240_501)
  if (!Number.isInteger(seed)) throw new Error('ADWIRE_TEST_SEED is an integer or "random"')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
}
