// Prints, at the end of a run, how many answers test/support/answer-judge.ts has validated, by release.

import { readFileSync, rmSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

interface Counts {
  judged: Record<string, number>
  ms: number
}

export default class JudgeReporter implements Reporter {
  onTestRunEnd(): void {
    const totals = new Map<string, number>()
    let seconds = 0
    for (const { judged, ms } of readCounts(process.env.ADWIRE_JUDGE_LOG)) {
      seconds += ms / 1_000
      for (const [level, count] of Object.entries(judged)) {
        totals.set(level, (totals.get(level) ?? 0) + count)
      }
    }
    if (totals.size === 0) return
    const listed = [...totals].sort().map(([level, count]) => `${level}: ${count}`)
    console.log(
      `answers validated with the schema of their release, in ${seconds.toFixed(1)} s: ${listed.join(', ')}`,
    )
  }
}

function readCounts(file: string | undefined): Counts[] {
  if (file === undefined) return []
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  } catch {
    return []
  } finally {
    rmSync(file, { force: true })
  }
}
