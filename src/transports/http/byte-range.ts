// The part of a file that a `Range` header requests (RFC 9110 §14): video players request parts. Only single
// ranges are supported; any other range is answered with the whole file, as the RFC permits.

export type ByteRange = { start: number; end: number } | 'whole' | 'unsatisfiable'

/** `end` is the first byte after it. */
export function byteRange(header: string | undefined, size: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return 'whole'
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  const start = Number(from)
  const end = to === '' ? size : Math.min(Number(to) + 1, size)
  // A range that ends before it begins is invalid and is ignored.
  if (to !== '' && Number(to) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end }
}
