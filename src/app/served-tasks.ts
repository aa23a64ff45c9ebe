// The tasks that a server with default settings serves, for the docs pages about them.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TaskTable } from '../agent/task-table.ts'
import { createLog } from '../lib/log.ts'
import { readConfig } from './config.ts'
import { wireApp } from './wire.ts'

/** Opens a server in an empty folder without starting it; `close` removes both. @internal */
export async function servedTasks(): Promise<{ tasks: TaskTable; close: () => Promise<void> }> {
  const data = mkdtempSync(join(tmpdir(), 'adwire-docs-'))
  const read = readConfig({ port: '0', data, logLevel: 'silent' }, {})
  if (!read.ok) throw new Error(read.errors.join())
  const app = await wireApp({ ...read.config, warmUp: false }, createLog({ level: 'silent' }))
  return {
    tasks: app.tasks,
    close: async () => {
      await app.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
