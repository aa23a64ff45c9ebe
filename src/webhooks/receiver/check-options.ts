// Validates the numbers of a receiver's options. Every comparison with NaN is false, so a limit that is not a number
// would limit nothing.

/** The minimum of each numeric option. */
const LEAST = {
  maxBodyBytes: 1,
  maxKeysPerSender: 1,
  maxBytesPerSender: 1,
  concurrency: 0,
  maxTries: 1,
  leaseMs: 1,
  pollMs: 1,
} as const

type Numbers = { readonly [Name in keyof typeof LEAST]?: number | undefined }

/** Throws a RangeError that names the first option out of range. */
export function refuseBadNumbers(options: Numbers): void {
  for (const [name, least] of Object.entries(LEAST) as [keyof Numbers, number][]) {
    const value: unknown = options[name]
    if (value === undefined || (typeof value === 'number' && value >= least)) continue
    throw new RangeError(`${name} must be a number of at least ${least} (got ${String(value)})`)
  }
}
