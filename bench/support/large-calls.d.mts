export const LARGE_CALLS: Readonly<Record<string, unknown>>
