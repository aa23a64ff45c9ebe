// The key of the demo, kept next to the data so that users keep their access after a restart. It works for a demo
// only: a server started without --demo refuses it.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DEMO_KEY_FILE = 'demo-key'

/** The key that an earlier start left in the folder; undefined when there is none or it cannot be read. */
export function readDemoKey(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, DEMO_KEY_FILE), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** Written atomically, and readable only by its owner. */
export function keepDemoKey(folder: string, key: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, DEMO_KEY_FILE)
  const part = `${path}.${process.pid}.part`
  writeFileSync(part, `${key}\n`, { mode: 0o600 })
  renameSync(part, path)
}
