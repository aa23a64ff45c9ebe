// The file of `adwire receive --out`: one JSON line for each message, even after a kill at any point.
//
// A line is on disk before its message is marked. After a kill in between, the message is claimed again, and the
// worker that takes it over looks for its line in the file of the previous worker: the claim names the file. An
// incomplete line left by a kill does not count, and is truncated before the next one is appended.

import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createBatcher } from '../../lib/batcher.ts'
import { tryJson } from '../../lib/try-json.ts'
import type { MessageLine } from './message-line.ts'

export interface OutFile {
  /** The value stored in claims, so that the next worker finds this file. */
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
  // Also opened for reading, since its end is checked. Every write is appended.
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
        // Part of the line may have been written: without this the next line would be appended to it.
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

/** Only its owner may read it, even if the file existed before. */
async function tighten(file: FileHandle): Promise<void> {
  const status = await file.stat()
  if (status.isFile() && (status.mode & 0o077) !== 0) await file.chmod(OWNER_ONLY)
}

/** Whether the worker that had claimed a message wrote its line; false for a worker without a file. */
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
    // The file was moved, or is on another machine: the line is not in the file we write to.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  } finally {
    input.destroy()
  }
  return false
}

/** Returns the size of the file without anything after its last line break. */
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
