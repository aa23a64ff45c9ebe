// The names that this machine defines locally, for the egress guard: its hosts file, reloaded when it has changed.
// The system resolver would look there first, so ours does too.

import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

export type FileReader = <T>(parse: (text: string) => T) => T

/**
 * Reads and parses a small system file, and again when it has changed, at most every few seconds. A missing or
 * unreadable file counts as empty. It runs on this thread and not on the pool, which may be busy: checking the file
 * takes microseconds.
 */
export function watchedFile(path: string, now: () => number): FileReader {
  let lookedAt = Number.NEGATIVE_INFINITY
  let stamp = ''
  let parsed: { value: unknown } | undefined
  return <T>(parse: (text: string) => T): T => {
    if (!parsed || now() - lookedAt >= LOOK_AGAIN_MS) {
      lookedAt = now()
      const { text, stamp: seen } = read(path, stamp)
      if (text !== undefined || !parsed) parsed = { value: parse(text ?? '') }
      stamp = seen
    }
    return parsed.value as T
  }
}

const LOOK_AGAIN_MS = 5_000
/** A larger file, such as a list of blocked names, is not read: it would block this thread. */
const MAX_BYTES = 4 * 1_048_576

/** Undefined when it is as it was. */
function read(path: string, stamp: string): { text: string | undefined; stamp: string } {
  try {
    const { mtimeMs, size, ino } = statSync(path)
    const seen = `${mtimeMs} ${size} ${ino}`
    if (seen === stamp) return { text: undefined, stamp }
    return { text: size > MAX_BYTES ? '' : readFileSync(path, 'utf8'), stamp: seen }
  } catch {
    return { text: stamp === '' ? undefined : '', stamp: '' }
  }
}

export const HOSTS_PATH =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/** Addresses by lower-case name, in the order of the file. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, '')
      const known = found.get(key)
      if (!known) found.set(key, [address])
      else if (!known.includes(address)) known.push(address)
    }
  }
  return found
}
