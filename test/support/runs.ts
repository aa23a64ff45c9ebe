// How often a costly property is tried. Every run of the tests sees the same values (see property-seed.ts), so that most
// of what further ones could find is found by `npm run test:faults`, which tries the whole number.

const isThorough = process.env.ADWIRE_FAULT_ROUNDS !== undefined

export function runs({ usual, all }: { usual: number; all: number }): number {
  return isThorough ? all : usual
}
