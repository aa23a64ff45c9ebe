// A second server: a signal agent with signals that can be activated, one for each who does so.

import { startApp, type TestApp } from './app.ts'
import { catalogueSignal, naiveSearch } from './memory-signals.ts'

export interface SignalAgent {
  app: TestApp
  url: string
  /** A key to call its tasks with. */
  key: string
  /** What finds signals. */
  search: Record<string, unknown>
  /** The activation of a signal that no one has activated, which takes a second. */
  activation(): Record<string, unknown>
  stop(): Promise<void>
}

const SIGNALS = 20
const sandbox = { type: 'platform', platform: 'sandbox' } as const

export async function startSignalAgent(): Promise<SignalAgent> {
  const app = await startApp({
    config: { sandboxDelaySeconds: 1, signalsAccounts: 'any' },
    signalSearch: (storage) =>
      naiveSearch(async () =>
        (await storage().signals.page(undefined, 100)).map(({ signal }) => signal),
      ),
  })
  const signals = Array.from({ length: SIGNALS }, (_, n) =>
    catalogueSignal({
      signal_agent_segment_id: `electric-${n}`,
      name: `Electric ${n}`,
      deployments: [{ ...sandbox, is_live: false }],
    }),
  )
  await app.storage.transact((tx) => app.storage.signals.put(tx, signals))
  let activated = 0
  return {
    app,
    url: app.url,
    key: await app.principal('tasks'),
    stop: app.stop,
    search: { signal_spec: 'electric', deliver_to: { deployments: [sandbox], countries: ['US'] } },
    activation: () => ({
      signal_agent_segment_id: `electric-${activated++}`,
      deployments: [sandbox],
    }),
  }
}
