// Messages of one task that overtake each other (spec 6.4): all are acknowledged, and what comes too
// late is not applied, also after a kill.

import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folder } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { createPlace } from '../support/faults/place.ts'
import { linesIn, startReceive } from '../support/faults/receiver-process.ts'
import { envelope, post, startSender, verdict } from '../support/faults/receiver-sender.ts'

/** The seconds of the minute, the status, and whether it is applied; in the order of arrival. */
const STORIES: Record<string, [at: number, status: string, applied: boolean][]> = {
  'completed before working': [
    [5, 'completed', true],
    [1, 'working', false],
    [3, 'working', false],
  ],
  'later after the end': [
    [1, 'working', true],
    [5, 'failed', true],
    [9, 'completed', false],
    [9, 'working', false],
  ],
  'equal times': [
    [2, 'submitted', true],
    [2, 'working', true],
    [2, 'completed', true],
    [2, 'failed', false],
    [2, 'working', false],
  ],
  'back in time': [
    [7, 'working', true],
    [6, 'input-required', false],
    [8, 'canceled', true],
    [8, 'rejected', false],
  ],
}

/** For a busy machine. */
const PATIENT = { timeoutMs: 120_000 }

describe.each(['sqlite', 'postgres'] as const)('a receiver on %s', (store) => {
  test('spec 6.4: acknowledges a stale status and does not apply it; the first end is final', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const [sender, other] = [await startSender(), await startSender()]
    const out = join(folder(), 'out')
    const trust = ['--trust', sender.agentUrl, '--trust', other.agentUrl]
    const begin = () => startReceive(place, [...trust, '--out', out])
    let server = await begin()
    const report = async (by: typeof sender, task_id: string, at: number, status: string) => {
      const body = envelope({ task_id, status, timestamp: `2026-01-01T00:00:0${at}.000Z` })
      return verdict(await post(server.url, await by.sign(body)))
    }
    const historyOf = (agentUrl: string, task: string) =>
      linesIn(out)
        .filter(({ sender: by, task_id }) => by === agentUrl && task_id === task)
        .map(({ status, applied, reason }) => [status, applied, reason])

    for (const [task, story] of Object.entries(STORIES)) {
      for (const [at, status] of story) {
        expect(await report(sender, task, at, status)).toBe('200 accepted')
      }
    }
    // Anyone who else has a task of that name is at its own beginning.
    expect(await report(other, 'completed before working', 1, 'working')).toBe('200 accepted')
    const wanted = Object.fromEntries(
      Object.entries(STORIES).map(([task, story]) => [
        task,
        story.map(([, status, applied]) => [status, applied, applied ? undefined : 'stale']),
      ]),
    )
    const reported = () =>
      Object.fromEntries(
        Object.keys(STORIES).map((task) => [task, historyOf(sender.agentUrl, task)]),
      )
    await eventually(() => expect(reported()).toEqual(wanted), PATIENT)
    const theirs = () => historyOf(other.agentUrl, 'completed before working')
    await eventually(() => expect(theirs()).toEqual([['working', true, undefined]]), PATIENT)

    await server.kill()
    server = await begin()
    for (const task of Object.keys(STORIES)) {
      expect(await report(sender, task, 9, 'working')).toBe('200 accepted')
      wanted[task]?.push(['working', false, 'stale'])
    }
    await eventually(() => expect(reported()).toEqual(wanted), PATIENT)
  })
})
