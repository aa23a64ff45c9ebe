// A server from its start until it is ready, what it weighs when idle, and the size of the built package.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  CLI,
  cpuMs,
  residentMb,
  startServer,
  stopServer,
  untilReady,
} from '../../support/processes.mjs'
import { median } from '../rounds.mjs'

const DIST = fileURLToPath(new URL('../../../dist', import.meta.url))
const IDLE_MS = 5_000

export async function measure({ isQuick }) {
  const starts = []
  for (let n = 0; n < (isQuick ? 1 : 5); n++) starts.push(await startOnce())
  const of = (what) => median(starts.map((one) => one[what]))
  return [
    { path: 'serve until ready', value: of('readyMs'), unit: 'ms', most: 1_000 },
    { path: 'the same, processor time', value: of('readyCpuMs'), unit: 'ms' },
    { path: 'resident memory when idle', value: of('idleMb'), unit: 'MB', most: 120 },
    { path: 'size of the built files', value: sizeOf(DIST) / 1e6, unit: 'MB' },
  ]
}

async function startOnce() {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  try {
    const began = performance.now()
    const server = await startServer([CLI, 'serve', '--port', '0', '--data', folder], {
      ADWIRE_LOG_LEVEL: 'error',
    })
    await untilReady(server)
    const readyMs = performance.now() - began
    const readyCpuMs = cpuMs(server.child.pid)
    await pause(IDLE_MS)
    const idleMb = residentMb(server.child.pid)
    await stopServer(server)
    return { readyMs, readyCpuMs, idleMb }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
