import { expect, test } from 'vitest'
import { KNOWN_TASKS, knownTask } from '../../src/client/known-tasks.ts'
import { openAgent } from '../../src/client/open-agent.ts'
import { startApp } from '../support/app.ts'

test('the tasks that a caller knows are those that the server has, and it knows which of them change something', async () => {
  const app = await startApp({ config: { signalsModel: false, warmUp: false } })
  const agent = openAgent({
    agentUrl: app.url,
    auth: await app.principal(),
    allowPrivate: true,
  })
  const listed = await agent.listTasks()
  const served = new Map(listed.ok ? listed.tasks.map((one) => [one.name, one]) : [])
  const names = Object.keys(KNOWN_TASKS)
  expect(names.filter((name) => !served.has(name))).toEqual([])
  expect([...served.keys()].filter((name) => !knownTask(name))).toEqual(['get_proto_capabilities'])
  // In MCP, a tool without a hint is one that changes something.
  const changes = (name: string) => served.get(name)?.changes ?? true
  expect(names.filter((name) => knownTask(name)?.changes !== changes(name))).toEqual([])

  // Over each transport the same answer, checked strictly against its schema.
  for (const path of ['/mcp', '/a2a', '/v3']) {
    const options = { auth: await app.principal(), allowPrivate: true, check: 'strict' as const }
    const wired = openAgent({ ...options, agentUrl: app.url + path })
    expect(await wired.getAgentCapabilities({})).toMatchObject({ ok: true, status: 'completed' })
    expect(await wired.listCreativeFormats({})).toMatchObject({ ok: true, status: 'completed' })
    expect(await wired.getTaskStatus({ task_id: 'none' })).toMatchObject({
      ok: false,
      error: { kind: 'refused', code: 'TASK_NOT_FOUND' },
    })
    await wired.close()
  }
  await agent.close()
  await app.stop()
})
