// Runs commands of the built program one after another in one process, each as in a process of its own: with its own
// environment, from its first word to the moment at which nothing would keep a process alive. Most of what a command
// takes is the loading of its modules, and that is done once.

import { run } from '../../dist/cli/program.js'

const realExit = process.exit.bind(process)
const streams = [process.stdout, process.stderr]
const writes = streams.map((stream) => stream.write.bind(stream))

class Exited extends Error {}

let exitCode
let onExit = () => {}

function exitWith(code) {
  exitCode ??= code
  onExit()
}

process.exit = (code) => {
  exitWith(Number(code ?? process.exitCode ?? 0))
  throw new Exited('the command has ended')
}
process.on('uncaughtException', (error) => {
  if (!(error instanceof Exited)) process.stderr.write(`${error?.stack ?? error}\n`)
  exitWith(1)
})
// What runs after its exit is ignored, as for a process that has ended.
streams.forEach((stream, at) => {
  stream.write = (chunk, ...more) => {
    if (exitCode === undefined) return writes[at](chunk, ...more)
    const done = more.at(-1)
    if (typeof done === 'function') process.nextTick(done)
    return true
  }
})
process.on('disconnect', () => realExit(0))
process.on('message', async ({ args, env, mark }) => {
  const { code, isClean } = await command(args, env)
  for (const write of writes) write(mark)
  process.send({ code, isClean })
})

async function command(args, env) {
  exitCode = undefined
  process.exitCode = undefined
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
  const [alive, received] = [aliveNow(), listenersNow()]
  const exit = new Promise((resolve) => {
    onExit = resolve
  })
  let isRunning = true
  const ran = run(process.argv).finally(() => {
    isRunning = false
  })
  await Promise.race([ran, exit])
  while (exitCode === undefined && !isWithin(aliveNow(), alive)) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const code = exitCode ?? Number(process.exitCode ?? 0)
  listenersNow().forEach(({ source, name, listener }) => {
    const isNew = !received.some((one) => one.listener === listener)
    if (isNew) source.removeListener(name, listener)
  })
  return { code, isClean: !isRunning && isWithin(aliveNow(), alive) }
}

/** How many of each kind would keep a process from its end. */
function aliveNow() {
  const counts = new Map()
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

function isWithin(counts, others) {
  return [...counts].every(([kind, count]) => count <= (others.get(kind) ?? 0))
}

function listenersNow() {
  const listened = [process, ...streams].flatMap((source) =>
    ['SIGINT', 'SIGTERM', 'error'].map((name) => ({ source, name })),
  )
  return listened.flatMap(({ source, name }) =>
    source.listeners(name).map((listener) => ({ source, name, listener })),
  )
}
