import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { memoryFolder } from './test/support/memory-folder.ts'
import SlowFirst from './test/support/slow-first.ts'

// Inherited by every process that the tests start.
if (process.env.TMPDIR === undefined) {
  const folder = memoryFolder()
  if (folder !== undefined) {
    process.env.TMPDIR = folder
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  }
}
// Written by every worker, read by the reporter at the end.
process.env.ADWIRE_TURN_LOG ??= join(tmpdir(), `adwire-turns-${process.pid}.jsonl`)
process.env.ADWIRE_JUDGE_LOG ??= join(tmpdir(), `adwire-judged-${process.pid}.jsonl`)

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: [
      'test/support/property-seed.ts',
      'test/support/turn-log.ts',
      'test/support/answer-judge.ts',
    ],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: [
      'default',
      './test/support/turns-reporter.ts',
      './test/support/judge-reporter.ts',
      './test/support/totals-reporter.ts',
    ],
    // Wide, so that only what hangs is ended on a machine that has much else to do.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The same of what is asked until it holds.
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    // Loading the sources anew for each file would take longer than the tests themselves.
    isolate: false,
  },
})
