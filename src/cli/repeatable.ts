// An option that may be given several times. It has no default, so that help shows none.

export function repeatable(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
