// What SQLite skips when it reads its log after a crash: it stops at the first frame with a wrong checksum. After a
// power failure that is the end of the flushed data, and nothing after it was acknowledged. In a damaged log, commits
// after such a frame may have been acknowledged; SQLite does not report them.
// Format: https://sqlite.org/fileformat2.html#the_write_ahead_log

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC_LITTLE = 0x377f0682
const MAGIC_BIG = 0x377f0683

/** The number of commits in the log after the first unreadable frame. 0 for an intact log. */
export function unreadableCommits(logPath: string): number {
  const file = openSync(logPath, 'r')
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return 0
    const magic = header.readUInt32BE(0)
    if (magic !== MAGIC_LITTLE && magic !== MAGIC_BIG) return 0
    return countBehindFault(file, header, magic === MAGIC_BIG ? 'BE' : 'LE')
  } finally {
    closeSync(file)
  }
}

function countBehindFault(file: number, header: Buffer, order: 'BE' | 'LE'): number {
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + header.readUInt32BE(8))
  const salts = header.subarray(16, 24)
  const { size } = fstatSync(file)
  let sum: Sum = [header.readUInt32BE(24), header.readUInt32BE(28)]
  let isReadable = true
  let commits = 0
  for (let at = HEADER_BYTES; at + frame.length <= size; at += frame.length) {
    readSync(file, frame, 0, isReadable ? frame.length : FRAME_HEADER_BYTES, at)
    // A log is overwritten from its start again and again: frames of an earlier round have other salts.
    const isOfRound = frame.subarray(8, 16).equals(salts)
    if (isReadable) {
      sum = addTo(
        addTo(sum, frame.subarray(0, 8), order),
        frame.subarray(FRAME_HEADER_BYTES),
        order,
      )
      isReadable =
        isOfRound && sum[0] === frame.readUInt32BE(16) && sum[1] === frame.readUInt32BE(20)
    }
    const isCommit = frame.readUInt32BE(4) !== 0
    if (!isReadable && isOfRound && isCommit) commits += 1
  }
  return commits
}

type Sum = readonly [number, number]

/** SQLite's checksum, which continues from frame to frame. */
function addTo([first, second]: Sum, bytes: Buffer, order: 'BE' | 'LE'): Sum {
  const words = wordsOf(bytes, order)
  let [a, b] = [first, second]
  for (let n = 0; n < words.length; n += 2) {
    a = (a + (words[n] as number) + b) >>> 0
    b = (b + (words[n + 1] as number) + a) >>> 0
  }
  return [a, b]
}

function wordsOf(bytes: Buffer, order: 'BE' | 'LE'): Uint32Array {
  const copy = Buffer.from(bytes)
  if (order !== endianness()) copy.swap32()
  return new Uint32Array(copy.buffer, copy.byteOffset, copy.length / 4)
}
