// The file of `adwire receive --out`: one JSON line for each message, also after a kill at any point.
//
// A line is on disk before its message is marked. After a kill in between, the message is claimed again, and the
// worker that takes it over looks for its line in the file of the previous worker: the claim names the file. What a
// kill cut off is no line, and is truncated before the next one is appended.

import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createBatcher } from '../../lib/batcher.ts'
import { tryJson } from '../../lib/try-json.ts'
import type { MessageLine } from './message-line.ts'

export interface OutFile {
  /** What claims are marked with, so that the next worker finds this file. */
  worker: string
  /** Appends a line and resolves when it is on the disk. */
  append(line: MessageLine): Promise<void>
  close(): Promise<void>
}

const WORKER_PREFIX = 'out:'
const MAX_BATCH = 256
const TAIL_BYTES = 64 * 1_024
const OWNER_ONLY = 0o600

/** One process at a time writes to a file. */
export async function openOutFile(path: string): Promise<OutFile> {
  const absolute = resolve(path)
  // Read as well: its end is looked at. Every write goes to the end.
  const file = await open(absolute, 'a+', OWNER_ONLY)
  await tighten(file)
  let size = await cutTornLine(file)

  const append = createBatcher<string, undefined>({
    maxItems: MAX_BATCH,
    run: async (lines) => {
      const bytes = Buffer.from(lines.join(''))
      try {
        const { bytesWritten } = await file.write(bytes)
        if (bytesWritten < bytes.byteLength) throw new Error(`no room to write to ${absolute}`)
        await file.datasync()
      } catch (error) {
        // A part of it may be there: without this the next line would be glued to it.
        await file.truncate(size)
        throw error
      }
      size += bytes.byteLength
      return lines.map(() => undefined)
    },
  })
  return {
    worker: `${WORKER_PREFIX}${absolute}`,
    append: (line) => append(`${JSON.stringify(line)}\n`).then(() => {}),
    close: () => file.close(),
  }
}

/** What it holds is for its owner alone, also when it was there before. */
async function tighten(file: FileHandle): Promise<void> {
  const status = await file.stat()
  if (status.isFile() && (status.mode & 0o077) !== 0) await file.chmod(OWNER_ONLY)
}

/** Whether the worker that had a message wrote its line; false for a worker that writes no file. */
export async function isWritten(
  worker: string,
  { sender, idempotency_key }: Pick<MessageLine, 'sender' | 'idempotency_key'>,
): Promise<boolean> {
  if (!worker.startsWith(WORKER_PREFIX)) return false
  const input = createReadStream(worker.slice(WORKER_PREFIX.length))
  const wanted = JSON.stringify(idempotency_key)
  try {
    for await (const text of createInterface({ input })) {
      if (!text.includes(wanted)) continue
      const line = tryJson(text) as Partial<MessageLine> | undefined
      if (line?.sender === sender && line.idempotency_key === idempotency_key) return true
    }
  } catch (error) {
    // The file was moved away, or is on another machine: the line is not in what we write to.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  } finally {
    input.destroy()
  }
  return false
}

/** Returns the size of the file without what stands behind its last line break. */
async function cutTornLine(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - TAIL_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
    const lineEnd = buffer.subarray(0, bytesRead).lastIndexOf(0x0a)
    if (lineEnd >= 0) return cut(file, size, start + lineEnd + 1)
    end = start
  }
  return cut(file, size, 0)
}

async function cut(file: FileHandle, size: number, to: number): Promise<number> {
  if (to < size) await file.truncate(to)
  return to
}
