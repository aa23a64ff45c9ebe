// The life of a server process: take the data folder, start, say where, stop on a signal.

import type { Log } from '../lib/log.ts'
import { type ServeLock, takeServeLock } from '../storage/sqlite/serve-lock.ts'
import type { Config } from './config.ts'
import { demoAllows } from './demo/demo-allows.ts'
import { openLog } from './open-log.ts'
import { startFault } from './start-fault.ts'
import { type App, createApp, type Started } from './wire.ts'

export async function serve(config: Config): Promise<void> {
  const log = openLog(config)
  const lock = takeFolder(config)
  const app = await createApp(config, log)
  let started: Started
  try {
    started = await app.start()
  } catch (error) {
    await app.stop()
    lock?.release()
    throw startFault(error, config)
  }
  const stopped = stopOnSignal(app, config, log)
  announce(app, started, config)
  await stopped
  lock?.release()
  // Calls that were given up may still be at it: nobody waits for them.
  process.exit()
}

function takeFolder(config: Config): Extract<ServeLock, { ok: true }> | undefined {
  if (config.databaseUrl !== undefined) return undefined
  const lock = takeServeLock(config.data)
  if (!lock.ok) throw new Error(lock.message)
  return lock
}

/** The key comes last, where whoever looks for it finds it. */
function announce(app: App, { demoKey }: Started, config: Config): void {
  const url = app.url()
  const lines = [`adwire listens on ${url}`]
  if (demoKey !== undefined) {
    lines.push(
      ...demoAllows(config),
      'next, in another terminal (README.md has more; Ctrl-C here stops the server):',
      `  curl '${url}/api/manifest-refs/lookup?domain=Demo-Brand.example'`,
      `  curl ${url}/v3/get_signals -H 'Authorization: Bearer ${demoKey}' \\`,
      `    -H 'Content-Type: application/json' -d '${FIRST_QUESTION}'`,
      `demo key: ${demoKey}`,
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

const FIRST_QUESTION = JSON.stringify({
  signal_spec: 'people about to buy an electric car',
  max_results: 3,
  deliver_to: { deployments: [{ type: 'platform', platform: 'sandbox' }], countries: ['US'] },
})

function stopOnSignal(app: App, { stopTimeoutSeconds }: Config, log: Log): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = false
    const stop = (signal: string) => {
      // A second Ctrl-C is a person who does not want to wait.
      if (asked) process.exit(130)
      asked = true
      log.info({ signal }, 'stopping')
      setTimeout(() => {
        log.warn('stopped before everything under way had ended')
        process.exit(1)
      }, stopTimeoutSeconds * 1_000).unref()
      app.stop().then(resolve, reject)
    }
    process.on('SIGINT', () => stop('SIGINT'))
    process.on('SIGTERM', () => stop('SIGTERM'))
  })
}
