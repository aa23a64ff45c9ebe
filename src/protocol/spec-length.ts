// Separate from the schema that uses it, so that settings do not have to load that schema.

/** Maximum length of an audience description, in characters. */
export const MAX_SPEC_LENGTH = 4_000
