// What an MP4 file states about itself: its duration, and whether a player can start before it has all of it. Reads
// the boxes of the file and of its `moov`, and nothing deeper.

export interface ReadMp4 {
  durationMs: number
  /** Whether `moov` precedes the media. */
  isFastStart: boolean
}

/** Undefined if it is not a complete MP4. */
export function readMp4(bytes: Uint8Array): ReadMp4 | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const top = boxesOf(view, 0, bytes.byteLength)
  const moov = top?.find(({ type }) => type === 'moov')
  const media = top?.find(({ type }) => type === 'mdat')
  if (!moov || !media || top?.[0]?.type !== 'ftyp') return undefined
  const mvhd = boxesOf(view, moov.start, moov.end)?.find(({ type }) => type === 'mvhd')
  const durationMs = mvhd && durationOf(view, mvhd)
  if (durationMs === undefined) return undefined
  return { durationMs, isFastStart: moov.start < media.start }
}

interface Box {
  type: string
  /** Of its content. */
  start: number
  end: number
}

const HEADER = 8

function boxesOf(view: DataView, from: number, to: number): Box[] | undefined {
  const boxes: Box[] = []
  let at = from
  while (at + HEADER <= to) {
    const size = view.getUint32(at)
    const type = String.fromCharCode(...[4, 5, 6, 7].map((byte) => view.getUint8(at + byte)))
    // Larger files use other sizes; the files made here never do.
    if (size < HEADER || at + size > to) return undefined
    boxes.push({ type, start: at + HEADER, end: at + size })
    at += size
  }
  return boxes
}

/** Version 1 has its times in eight bytes. */
function durationOf(view: DataView, { start, end }: Box): number | undefined {
  if (end - start < 32) return undefined
  const isLong = view.getUint8(start) === 1
  const scale = view.getUint32(start + (isLong ? 20 : 12))
  const duration = isLong ? Number(view.getBigUint64(start + 24)) : view.getUint32(start + 16)
  return scale === 0 ? undefined : (duration / scale) * 1_000
}
