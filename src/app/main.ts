// The lifecycle of a server process: start, print the address, stop on a signal.

import type { Log } from '../lib/log.ts'
import type { Config } from './config.ts'
import { type App, createApp } from './create-app.ts'
import { demoAllows } from './demo/demo-allows.ts'
import { readEnvironment } from './env.ts'
import type { Started } from './extensions.ts'
import { openLog } from './open-log.ts'
import { startFault } from './start-fault.ts'
import { unknownVariables } from './unknown-variables.ts'

export async function serve(config: Config): Promise<void> {
  const log = openLog(config)
  for (const reported of unknownVariables(readEnvironment())) log.warn(reported)
  const app = await createApp(config, { log })
  const started = await app.start().catch((error: unknown) => {
    throw startFault(error, config)
  })
  const stopped = stopOnSignal(app, config, log)
  announce(app, started, config)
  await stopped
  // Abandoned calls may still be running: do not wait for them.
  process.exit()
}

/** The key is printed last, where it is easy to find. */
function announce(app: App, { demoKey, sandboxKey }: Started, config: Config): void {
  const url = app.url()
  const lines = [`adwire listens on ${url}`]
  if (demoKey !== undefined) {
    lines.push(
      ...demoAllows(config),
      ...(config.console ? [`the console is at ${url}/console/`] : []),
      'next, in another terminal (README.md has more; Ctrl-C here stops the server):',
      `  curl '${url}/api/manifest-refs/lookup?domain=Demo-Brand.example'`,
      `  curl ${url}/v3/get_signals -H 'Authorization: Bearer ${demoKey}' \\`,
      `    -H 'Content-Type: application/json' -d '${FIRST_QUESTION}'`,
      `demo key: ${demoKey}`,
    )
  }
  if (sandboxKey !== undefined) lines.push(`sandbox key: ${sandboxKey}`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

const FIRST_QUESTION = JSON.stringify({
  signal_spec: 'people about to buy an electric car',
  max_results: 3,
  deliver_to: { deployments: [{ type: 'platform', platform: 'sandbox' }], countries: ['US'] },
})

function stopOnSignal(app: App, { stopTimeoutSeconds }: Config, log: Log): Promise<void> {
  return new Promise((resolve, reject) => {
    let requested = false
    const stop = (signal: string) => {
      // A second Ctrl-C means that the user does not want to wait.
      if (requested) process.exit(130)
      requested = true
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
