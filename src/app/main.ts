// The life of a server process: take the data folder, start, say where, stop on a signal.

import { createLog, type Log } from '../lib/log.ts'
import { type ServeLock, takeServeLock } from '../storage/sqlite/serve-lock.ts'
import type { Config } from './config.ts'
import { demoAllows } from './demo/demo-allows.ts'
import { loadDemo } from './demo/load-demo.ts'
import { type App, createApp } from './wire.ts'

export async function serve(config: Config): Promise<void> {
  const log = createLog({ level: config.logLevel })
  const lock = takeFolder(config)
  const app = await createApp(config, log)
  try {
    await app.start()
  } catch (error) {
    await app.stop()
    lock?.release()
    throw startFault(error, config)
  }
  const stopped = stopOnSignal(app, config, log)
  await announce(app, config)
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

function startFault(error: unknown, { host, port }: Config): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE') {
    return new Error(`port ${port} on ${host} is taken: choose another with --port`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(`this machine has no address ${host}: choose another with --host`)
  }
  if (code === 'EACCES') {
    return new Error(`port ${port} needs more rights: choose one above 1023 with --port`)
  }
  return error
}

async function announce(app: App, config: Config): Promise<void> {
  const url = app.url()
  const say = (line: string) => process.stdout.write(`${line}\n`)
  say(`adwire listens on ${url}`)
  if (!config.demo) return
  const { key } = await loadDemo(app.storage, { url, key: config.demoKey })
  say(`demo key: ${key}`)
  for (const line of demoAllows(config)) say(line)
  say('try:')
  say(`  curl '${url}/api/manifest-refs/lookup?domain=Demo-Brand.example'`)
}

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
