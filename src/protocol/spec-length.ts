// Apart from the schema that holds it, which settings can do without.

/** Longest description of whom to reach, in characters. */
export const MAX_SPEC_LENGTH = 4_000
