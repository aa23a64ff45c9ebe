// Measures how long calls of tasks and rounds of workers hold the event loop in tests: the time of all callbacks of one
// call within one round of the loop. test/support/turns-reporter.ts lists what took long when the run ends.

import { createHook, executionAsyncId } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
// Not the global one, which tests replace by a clock of their own.
import { performance } from 'node:perf_hooks'
import { expect } from 'vitest'
import { onWork } from '../../src/lib/turn-watch.ts'
import { threadMs } from './thread-time.ts'

const FILE = process.env.ADWIRE_TURN_LOG
const THRESHOLD_MS = 50
/** Not all resources say when they are gone; a map of more than 16 million entries throws. */
const MAX_WORKS = 1_000_000

// Test files share a process, and this file runs before each of them.
const processState = globalThis as { isLoggingTurns?: boolean }
if (FILE !== undefined && !processState.isLoggingTurns) {
  processState.isLoggingTurns = true
  logTurns(FILE)
}

interface Work {
  name: string
}

function logTurns(file: string): void {
  /** By async id: which call or worker began what led to it. */
  const works = new Map<number, Work>()
  /** What has run in this process before: the first time, code is loaded and compiled. */
  const known = new Set<string>()
  /** Starts of the callbacks that are running, the innermost last. */
  const running: { work: Work | undefined; since: number }[] = []
  let round = -1
  let spent = new Map<Work, number>()
  let cpu = threadMs()

  const loopCount = () =>
    (performance as unknown as { nodeTiming: { uvMetricsInfo: { loopCount: number } } }).nodeTiming
      .uvMetricsInfo.loopCount

  function nextRound(): void {
    const now = loopCount()
    if (now === round) return
    round = now
    const cpuBefore = cpu
    cpu = threadMs()
    const ended = spent
    if (ended.size === 0) return
    spent = new Map()
    const cpuMs = cpu - cpuBefore
    for (const [{ name }, ms] of ended) {
      // Less processor time than that: the machine was busy with something else.
      if (ms < THRESHOLD_MS || cpuMs < THRESHOLD_MS) continue
      const test = expect.getState().currentTestName ?? ''
      const isFirst = !known.has(name)
      append(file, `${JSON.stringify({ name, ms, cpuMs, isFirst, test })}\n`)
    }
    for (const { name } of ended.keys()) known.add(name)
  }

  const spend = (work: Work | undefined, since: number, now: number) => {
    if (work) spent.set(work, (spent.get(work) ?? 0) + now - since)
  }

  createHook({
    init: (id, _type, trigger) => {
      const work = works.get(executionAsyncId()) ?? works.get(trigger)
      if (!work) return
      if (works.size >= MAX_WORKS) works.clear()
      works.set(id, work)
    },
    before: (id) => {
      if (running.length === 0) nextRound()
      const now = performance.now()
      const outer = running.at(-1)
      if (outer) spend(outer.work, outer.since, now)
      running.push({ work: works.get(id), since: now })
    },
    after: () => {
      const now = performance.now()
      const ended = running.pop()
      if (ended) spend(ended.work, ended.since, now)
      const outer = running.at(-1)
      if (outer) outer.since = now
    },
    destroy: (id) => works.delete(id),
  }).enable()

  onWork((name) => {
    const work = { name }
    works.set(executionAsyncId(), work)
    const current = running.at(-1)
    if (!current) return
    const now = performance.now()
    spend(current.work, current.since, now)
    current.work = work
    current.since = now
  })
}

/** A hook that throws ends the process, so a line that cannot be written is dropped: some tests use up all file descriptors. */
function append(file: string, line: string): void {
  try {
    appendFileSync(file, line)
  } catch (error) {
    process.stderr.write(`A long turn is not in the list, since ${String(error)}: ${line}`)
  }
}
