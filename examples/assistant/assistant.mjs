// An assistant without a model: an MCP client that starts `adwire mcp`, and by its one tool finds signals at an
// agent, activates the first, waits until it is live, and reports.
//
//   node examples/assistant/assistant.mjs AGENT_URL KEY_FILE [flags of adwire mcp]
//
// The tool's answer is in `answer.data`, and was written by the agent: here it is printed and compared, and never
// treated as an instruction.

import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [agentUrl, keyFile, ...flags] = process.argv.slice(2)
if (keyFile === undefined) {
  console.error('usage: assistant.mjs AGENT_URL KEY_FILE [flags of adwire mcp]')
  process.exit(2)
}
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const args = [main, 'mcp', '--agent', agentUrl, '--auth', `@${keyFile}`, '--log-level', 'warn']
const assistant = new Client({ name: 'assistant', version: '1.0.0' })
await assistant.connect(
  new StdioClientTransport({ command: process.execPath, args: [...args, ...flags] }),
)
const { tools } = await assistant.listTools()
const tool = tools[0].name
console.log(`connected: the tool is ${tool}`)

const target = { type: 'platform', platform: 'sandbox' }
const found = await call('get_signals', {
  signal_spec: 'people about to buy an electric car',
  deliver_to: { deployments: [target], countries: ['US'] },
})
const [signal] = found.data.signals
console.log(`found ${found.data.signals.length} signals, the first: ${returned(signal.name)}`)

let answer = await call(
  'activate_signal',
  { signal_agent_segment_id: signal.signal_agent_segment_id, deployments: [target] },
  { wait: true },
)
// A platform may take hours: the tool waits as long as it may, and says how to go on.
while (answer.next) {
  console.log(`still ${answer.status}, asking again`)
  answer = await call(answer.next.task, answer.next.params, { wait: true })
}
const [deployment] = answer.data.deployments
console.log(
  `activated: live is ${deployment.is_live}, by ${JSON.stringify(deployment.activation_key)}`,
)
await assistant.close()

async function call(task, params, more = {}) {
  const { isError, structuredContent } = await assistant.callTool({
    name: tool,
    arguments: { agent_url: agentUrl, task, params, ...more },
  })
  if (isError) {
    const [{ code, message, recovery }] = structuredContent.errors
    throw new Error(`${task}: ${code} (${recovery}): ${message}`)
  }
  return { ...structuredContent.answer, next: structuredContent.next }
}

/** A name that others chose, on one line of a screen. */
function returned(text) {
  return JSON.stringify(String(text).slice(0, 80))
}
