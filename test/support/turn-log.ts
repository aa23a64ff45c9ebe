// Measures how long tasks and workers hold the event loop in tests: the time of all their callbacks within one round of
// the loop. test/support/turns-reporter.ts lists what took long when the run ends.

import { createHook, executionAsyncId } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
// Not the global one, which tests with fake timers replace.
import { performance } from 'node:perf_hooks'
import { expect } from 'vitest'
import { onWork } from '../../src/lib/turn-watch.ts'

const FILE = process.env.ADWIRE_TURN_LOG
const THRESHOLD_MS = 50

if (FILE !== undefined) logTurns(FILE)

function logTurns(file: string): void {
  /** By async id: which task or worker began what led to it. */
  const names = new Map<number, string>()
  /** What has run in this process before: the first time, code is loaded and compiled. */
  const known = new Set<string>()
  /** Starts of the callbacks that are running, the innermost last. */
  const running: { name: string | undefined; since: number }[] = []
  let round = -1
  let spent = new Map<string, number>()
  let cpu = process.cpuUsage()

  const loopCount = () =>
    (performance as unknown as { nodeTiming: { uvMetricsInfo: { loopCount: number } } }).nodeTiming
      .uvMetricsInfo.loopCount

  function nextRound(): void {
    const now = loopCount()
    if (now === round) return
    round = now
    const used = process.cpuUsage(cpu)
    cpu = process.cpuUsage()
    const ended = spent
    if (ended.size === 0) return
    spent = new Map()
    const cpuMs = (used.user + used.system) / 1_000
    for (const [name, ms] of ended) {
      // Less processor time than that: the machine was busy with something else.
      if (ms < THRESHOLD_MS || cpuMs < THRESHOLD_MS) continue
      const test = expect.getState().currentTestName ?? ''
      const isFirst = !known.has(name)
      appendFileSync(file, `${JSON.stringify({ name, ms, cpuMs, isFirst, test })}\n`)
    }
    for (const name of ended.keys()) known.add(name)
  }

  const spend = (name: string | undefined, since: number, now: number) => {
    if (name !== undefined) spent.set(name, (spent.get(name) ?? 0) + now - since)
  }

  createHook({
    init: (id, _type, trigger) => {
      const name = names.get(executionAsyncId()) ?? names.get(trigger)
      if (name !== undefined) names.set(id, name)
    },
    before: (id) => {
      if (running.length === 0) nextRound()
      const now = performance.now()
      const outer = running.at(-1)
      if (outer) spend(outer.name, outer.since, now)
      running.push({ name: names.get(id), since: now })
    },
    after: () => {
      const now = performance.now()
      const ended = running.pop()
      if (ended) spend(ended.name, ended.since, now)
      const outer = running.at(-1)
      if (outer) outer.since = now
    },
    destroy: (id) => names.delete(id),
  }).enable()

  onWork((name) => {
    names.set(executionAsyncId(), name)
    const current = running.at(-1)
    if (!current) return
    const now = performance.now()
    spend(current.name, current.since, now)
    current.name = name
    current.since = now
  })
}
