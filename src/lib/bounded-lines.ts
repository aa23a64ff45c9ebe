// The lines of a byte stream, each limited in length: a longer line is not buffered, and is reported when it ends.
// Only line feeds end a line, as JSON texts require.

export type BytesLine = { ok: true; bytes: Buffer } | { ok: false }

const LINE_FEED = 10

/** The last line need not end with a line feed. */
export async function* boundedLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<BytesLine> {
  let held: Buffer[] = []
  let size = 0
  const take = (part: Buffer) => {
    size += part.length
    if (size > maxBytes) held = []
    else held.push(part)
  }
  const end = (): BytesLine => {
    const line: BytesLine =
      size > maxBytes ? { ok: false } : { ok: true, bytes: Buffer.concat(held) }
    held = []
    size = 0
    return line
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let to = chunk.indexOf(LINE_FEED); to >= 0; to = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, to))
      yield end()
      from = to + 1
    }
    if (from < chunk.length) take(chunk.subarray(from))
  }
  if (size > 0) yield end()
}
