// An A2A server over the test agent, with stores of a database of its own.

import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { createChannelStore } from '../../src/storage/stores/outbox/channels.ts'
import { createA2aTaskStore } from '../../src/storage/stores/tasks/a2a.ts'
import { createPushRegistrations } from '../../src/transports/a2a/push-registrations.ts'
import { a2aRoutes } from '../../src/transports/a2a/server.ts'
import { taskRoutes } from '../../src/transports/http/task-routes.ts'
import { mcpRoutes } from '../../src/transports/mcp/server.ts'
import { checkChannel } from '../../src/webhooks/sender/register-channel.ts'
import { testDatabase } from './databases.ts'
import { fakeClock } from './fake-clock.ts'
import { createGate, IDENTIFIERS, serveRoutes, testAgent } from './test-agent.ts'

export async function a2aServer() {
  const opened = await testDatabase('sqlite')
  const { database } = opened
  const gate = createGate()
  const agent = testAgent({ database, more: [gate.task] })
  const clock = fakeClock(Date.now())
  const egress = createEgress()
  const tasks = createA2aTaskStore(database)
  const channels = createChannelStore(database)
  const box = createSecretBox('a secret of thirty-two characters')
  const faults: unknown[] = []
  let url = ''
  const identity = { name: 'adwire', version: '1.2.3' }
  const server = await serveRoutes([
    a2aRoutes(agent, {
      identity,
      identifiers: IDENTIFIERS,
      publicUrl: () => url,
      transact: database.transact,
      tasks,
      push: createPushRegistrations({
        transact: database.transact,
        channels,
        check: (wanted) =>
          checkChannel(wanted, { checkUrl: egress.checkUrl, box, allowBearer: true }),
      }),
      clock,
      timeoutMs: 10_000,
      onFault: (error) => faults.push(error),
    }),
    mcpRoutes(agent, identity),
    taskRoutes(agent, IDENTIFIERS),
  ])
  url = server.url
  return {
    url,
    gate,
    clock,
    faults,
    tasks,
    channels,
    close: async () => {
      gate.open()
      await server.close()
      await egress.close()
      await opened.drop()
    },
  }
}

export type A2aServer = Awaited<ReturnType<typeof a2aServer>>
