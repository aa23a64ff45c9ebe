/** A text in parts, cut at these places; parts may be empty. */
export function cutAt(text: string, places: readonly number[]): string[] {
  const ends = [...places.filter((place) => place < text.length), text.length].sort((a, b) => a - b)
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
}

export async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
