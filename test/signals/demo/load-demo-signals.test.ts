import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../../src/app/open-storage.ts'
import { loadDemoSignals } from '../../../src/signals/demo/load-demo-signals.ts'
import { MODEL_NAME } from '../../../src/signals/matching/sentence-model.ts'
import { catalogueSignal } from '../../support/catalogue.ts'
import { folder } from '../../support/cli.ts'

async function storageOf() {
  const storage = await openStorage({ data: folder(), databaseUrl: undefined, databasePool: 1 })
  onTestFinished(() => storage.close())
  return storage
}

test('the demo catalogue has hundreds of signals of every type, all of them good', async () => {
  const storage = await storageOf()
  await loadDemoSignals(storage)
  const { signals, by_type } = await storage.signals.stats()
  expect(signals).toBeGreaterThanOrEqual(400)
  expect(Object.keys(by_type)).toEqual(['custom', 'marketplace', 'owned'])
  await loadDemoSignals(storage)
  expect(await storage.signals.latest()).toBe(signals)
})

test('every demo signal has its vector from the beginning, and there is none beside', async () => {
  const storage = await storageOf()
  await loadDemoSignals(storage)
  // Red after a change of a name or a description: run scripts/embed-demo-signals.mjs.
  expect(await storage.signalVectors.counts(MODEL_NAME)).toMatchObject({
    signals: await storage.signals.count(),
    vectors: await storage.signals.count(),
  })
  expect(await storage.transact((tx) => storage.signalVectors.sweep(tx))).toBe(0)
})

test('a catalogue that holds something is left as it is', async () => {
  const storage = await storageOf()
  await storage.transact((tx) => storage.signals.put(tx, [catalogueSignal()]))
  await loadDemoSignals(storage)
  expect(await storage.signals.count()).toBe(1)
})
