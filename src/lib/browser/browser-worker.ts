// A browser as a worker of a worker pool, whose jobs are screenshots of pages: it processes one page after the other,
// and any failure of the browser itself ends it.

import { thrownInWorker } from '../worker-pool/thrown-in-worker.ts'
import type { StartWorker } from '../worker-pool/worker.ts'
import { type ChromiumOptions, startChromium } from './chromium.ts'
import { connectDevTools } from './devtools.ts'
import { type StillRequest, takeStill } from './take-still.ts'

export function browserWorker(options: ChromiumOptions): StartWorker {
  return (events) => {
    /** A page that crashed its process also broke the browser, which is not worth keeping. */
    let isBroken = false
    const chromium = startChromium(options, ({ code, signal, said }) => {
      events.ended(isBroken ? { code: 1, signal: null, said } : { code, signal, said })
    })
    const devTools = connectDevTools(chromium, () => chromium.kill())
    devTools.receive('', ({ method }) => {
      if (method !== 'Target.targetCrashed') return
      isBroken = true
      chromium.kill()
    })
    devTools.send('Target.setDiscoverTargets', { discover: true }).then(
      () => events.message({ ready: true }),
      () => chromium.kill(),
    )
    return {
      send: ({ job, request }) => {
        takeStill(devTools, request as StillRequest).then(
          (answer) => events.message({ job, answer }),
          (error) => events.message({ job, error: thrownInWorker(error) }),
        )
      },
      residentBytes: chromium.residentBytes,
      kill: chromium.kill,
    }
  }
}
