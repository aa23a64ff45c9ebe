// The key of the demo, kept beside the data so that a restart takes nothing from whoever uses it. It opens
// a demo alone: a start without --demo refuses it.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DEMO_KEY_FILE = 'demo-key'

/** What the folder holds of an earlier start; undefined when it has none that can be read. */
export function readDemoKey(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, DEMO_KEY_FILE), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** Whole or not at all, and for its owner alone. */
export function keepDemoKey(folder: string, key: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, DEMO_KEY_FILE)
  const part = `${path}.${process.pid}.part`
  writeFileSync(part, `${key}\n`, { mode: 0o600 })
  renameSync(part, path)
}
