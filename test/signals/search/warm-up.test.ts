import { expect, test } from 'vitest'
import { createThreadedMatching } from '../../../src/signals/search/threaded-matching.ts'
import { eventually } from '../../support/eventually.ts'

/** A thread that cannot start: the caller that starts it is notified. */
const NOWHERE = new URL('file:///no/such/worker.js')

function startedMatching(isWarmedUp: boolean) {
  const faults: unknown[] = []
  let wake = () => {}
  const matching = createThreadedMatching({
    worker: NOWHERE,
    workerData: {},
    signals: { latest: async () => 7 },
    onWake: (_topic, listener) => {
      wake = listener
      return () => {}
    },
    onFault: (error) => faults.push(error),
    hasModel: false,
    isWarmedUp,
  })
  matching.start()
  wake()
  return { matching, faults }
}

test('the thread that finds signals starts with the server, or with the first search without a warm-up', async () => {
  const cold = startedMatching(false)
  const warm = startedMatching(true)
  // Both calls of the warm one: by then the cold one would have failed as well.
  await eventually(() => expect(warm.faults.length).toBeGreaterThanOrEqual(2))
  expect(cold.faults).toEqual([])
  const query = { spec: 'boots' } as never
  await expect(cold.matching.search(query, new AbortController().signal)).rejects.toThrow()
  await Promise.all([cold.matching.stop(), warm.matching.stop()])
})
