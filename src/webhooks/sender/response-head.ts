// The part of a receiver's response that is stored for people who debug: its beginning, printable, and without the
// secrets that we sent and it may have repeated.

const MAX_BYTES = 2_048
/** Enough to recognise a secret that starts before the cut and ends after it. */
const READ_BYTES = 8_192
/** A shorter text may occur in a response by chance. */
const MIN_SECRET_LENGTH = 12

/** At most 2 KiB in UTF-8, cut between two characters; undefined when there is nothing. */
export function responseHead(
  body: Uint8Array,
  secrets: readonly (string | undefined)[],
): string | undefined {
  let text = new TextDecoder().decode(body.subarray(0, READ_BYTES))
  for (const secret of secrets) {
    if (secret && secret.length >= MIN_SECRET_LENGTH) text = text.replaceAll(secret, '[redacted]')
  }
  return cut(text.replace(UNPRINTABLE, '?')) || undefined
}

// Control characters, bidirectional marks, and undecodable bytes.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\ufffd]/gu

function cut(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= MAX_BYTES) return text
  let end = MAX_BYTES
  // Back to the first byte of the character that the cut would split.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
