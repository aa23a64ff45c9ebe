// Which log line a long turn of the event loop gets.

import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { watchEventLoop } from '../../src/app/event-loop-watch.ts'
import type { Log } from '../../src/lib/log.ts'
import { eventually } from '../support/eventually.ts'

const LONG_MS = 600

function watched(): [level: string, message: string][] {
  const lines: [string, string][] = []
  const logAt = (level: string) => (_fields: unknown, message: string) =>
    lines.push([level, message])
  const log = { info: logAt('info'), warn: logAt('warn') } as unknown as Log
  onTestFinished(watchEventLoop(new Registry(), log))
  return lines
}

test('a turn that computes is a warning', async () => {
  const lines = watched()
  const { user, system } = process.cpuUsage()
  const used = () => {
    const now = process.cpuUsage()
    return (now.user - user + now.system - system) / 1_000
  }
  while (used() < LONG_MS);
  await eventually(() => expect(lines).toEqual([['warn', 'the event loop was blocked']]))
})

test('a turn without processor time is not the fault of the process', async () => {
  const lines = watched()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONG_MS)
  await eventually(() =>
    expect(lines).toEqual([
      ['info', 'the machine did not run this process: it is busy, or was suspended'],
    ]),
  )
})
