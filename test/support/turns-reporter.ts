// Lists, at the end of a run, the tasks and workers that held the event loop for over 50 ms, and fails the run when one
// held it for much longer. Between the two lie pauses of the garbage collector, which in a test process has the memory
// of hundreds of tests to look through; ADWIRE_TURNS=strict fails for these too. What has a thread of its own in a
// compiled server ("thread: ...") runs on the event loop only in tests; it is listed, and fails nothing.

import { readFileSync, rmSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

interface Turn {
  name: string
  ms: number
  cpuMs: number
  isFirst: boolean
  test: string
}

const FAILED_MS = process.env.ADWIRE_TURNS === 'strict' ? 50 : 500

export default class TurnsReporter implements Reporter {
  onTestRunEnd(): void {
    const turns = readTurns(process.env.ADWIRE_TURN_LOG)
    const byName = grouped(turns)
    for (const [name, own] of byName) console.log(lineOf(name, own))
    const failed = turns.filter(
      ({ name, isFirst, ms, cpuMs }) =>
        !isFirst && !name.startsWith('thread: ') && Math.min(ms, cpuMs) > FAILED_MS,
    )
    if (failed.length === 0) return
    console.error(`FAILED: ${failed.length} turns of the event loop took over ${FAILED_MS} ms`)
    for (const { name, ms, test } of failed)
      console.error(`  ${name}: ${ms.toFixed()} ms in: ${test}`)
    process.exitCode = 1
  }
}

function lineOf(name: string, turns: readonly Turn[]): string {
  const longest = turns.reduce((a, b) => (b.ms > a.ms ? b : a))
  const later = turns.filter(({ isFirst }) => !isFirst).length
  const first = turns.length - later
  const counts = [
    ...(first > 0 ? [`${first} on first use`] : []),
    ...(later > 0 ? [`${later} later`] : []),
  ]
  return `event loop held over 50 ms by ${name}: ${counts.join(', ')}; longest ${longest.ms.toFixed()} ms in: ${longest.test}`
}

function readTurns(file: string | undefined): Turn[] {
  if (file === undefined) return []
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Turn)
  } catch {
    return []
  } finally {
    rmSync(file, { force: true })
  }
}

function grouped(turns: readonly Turn[]): Map<string, Turn[]> {
  const groups = new Map<string, Turn[]>()
  for (const turn of turns) groups.set(turn.name, [...(groups.get(turn.name) ?? []), turn])
  return groups
}
