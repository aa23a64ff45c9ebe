import { expect, test } from 'vitest'
import { agentHostFault, namesHost } from '../../src/app/agent-hosts.ts'

test.each(['agent.example', '*.agent.example', '10.0.0.7', '::1', 'localhost', 'sales-agent'])(
  '%s names hosts for the agent-calling tool',
  (entry) => expect(agentHostFault(entry)).toBeUndefined(),
)

test.each([
  'https://agent.example',
  'agent.example:8080',
  'a b',
  '*',
  '*.',
  'a..b',
  '10.0.0.0/8',
  '',
])('%j names none', (entry) => expect(agentHostFault(entry)).toContain('such as'))

test.each([
  ['https://agent.example/mcp', true],
  ['https://AGENT.example.', true],
  ['https://x.agent.example', false],
  ['https://a.wide.example', true],
  ['https://a.b.wide.example', true],
  ['https://wide.example', false],
  ['https://notwide.example', false],
  ['http://10.0.0.7:8080/', true],
  ['http://[::1]:1/', true],
  ['http://10.0.0.8/', false],
  ['https://agent.example.evil.example', false],
])('%s is named: %s', (url, isNamed) => {
  const names = namesHost(['Agent.example', '*.wide.example', '10.0.0.7', '::1'])
  expect(names(new URL(url))).toBe(isNamed)
})
