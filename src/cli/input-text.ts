// Input that a command reads instead of an argument: `@file`, or `-` for standard input, up to a limit.

import { closeSync, openSync, readSync } from 'node:fs'
import { parseStrictJson, type StrictJson } from '../lib/strict-json.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { UsageError } from './terminal.ts'

/** The maximum size of a protocol request with embedded files; agents accept less. */
const MAX_INPUT_BYTES = 16 * 1_024 * 1_024

/** A JSON object: given as text, as `@file`, or as `-`. */
export async function readJsonObject(
  what: string,
  given: string,
): Promise<Record<string, unknown>> {
  const text = await readText(what, given)
  const read = parseStrictJson(Buffer.from(text))
  if (!read.ok) throw unusableJson(what, read)
  if (isObject(read.value)) return read.value
  throw new UsageError(`${what} must be a JSON object, such as '{"member": "value"}'`)
}

export function unusableJson(what: string, read: StrictJson & { ok: false }): UsageError {
  const why =
    read.reason === 'duplicate_keys' ? `it has ${read.keys.join(', ')} twice` : FAULTS[read.reason]
  return new UsageError(`${what} is not usable as JSON: ${why}`)
}

const FAULTS = {
  not_utf8: 'the bytes are not UTF-8',
  not_json: `it does not parse; an object is written '{"member": "value"}'`,
  too_deep: 'it is nested more than 200 levels deep',
}

/** The text itself, `@file`, or `-`. */
export async function readText(what: string, given: string): Promise<string> {
  if (given === '-') return readStdin(what, MAX_INPUT_BYTES)
  return given.startsWith('@') ? readFile(what, given.slice(1)) : given
}

export async function readStdin(what: string, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    const part = Buffer.from(chunk as Buffer)
    bytes += part.byteLength
    if (bytes > maxBytes) throw tooLong(what, maxBytes)
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads no more than the limit, whatever the file is: a pipe or a device has no size. */
function readFile(what: string, file: string): string {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    throw new UsageError(
      `${what} cannot be read from ${file || 'a file without a name'}: use @ and a file path`,
    )
  }
  try {
    const chunks: Buffer[] = []
    for (let bytes = 0; ; ) {
      const chunk = Buffer.allocUnsafe(65_536)
      const read = readSync(descriptor, chunk)
      if (read === 0) return Buffer.concat(chunks).toString('utf8')
      bytes += read
      if (bytes > MAX_INPUT_BYTES) throw tooLong(what, MAX_INPUT_BYTES)
      chunks.push(chunk.subarray(0, read))
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${what} cannot be read from ${file}: use @ and a file path`)
  } finally {
    closeSync(descriptor)
  }
}

function tooLong(what: string, maxBytes: number): UsageError {
  return new UsageError(`${what} is longer than ${maxBytes} bytes`)
}
