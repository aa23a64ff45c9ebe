import { expect, test } from 'vitest'
import { createMcpClient } from '../../../src/transports/mcp/client.ts'

test('an agent whose list has no end is read for a limited number of pages, and that is reported', async () => {
  let pages = 0
  const client = createMcpClient({
    url: 'https://agent.example/mcp',
    fetch: async () => {
      pages += 1
      const result = { tools: [{ name: `task_${pages}` }], nextCursor: 'on' }
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: pages, result })),
      }
    },
  })
  const listed = await client.listTasks()
  expect(listed).toMatchObject({ ok: true, isCut: true })
  expect(listed.ok && listed.tasks).toHaveLength(pages)
  expect(pages).toBe(20)
})

test('an agent that lists tools by the hundred thousand is read up to two thousand, and that is reported', async () => {
  const tools = `[${Array.from({ length: 240_000 }, () => '{"name":"a"}').join(',')}]`
  const client = createMcpClient({
    url: 'https://agent.example/mcp',
    fetch: async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"tools":${tools}}}`),
    }),
  })
  const listed = await client.listTasks()
  expect(listed).toMatchObject({ ok: true, isCut: true })
  expect(listed.ok && listed.tasks).toHaveLength(2_000)
})
