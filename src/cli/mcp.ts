// `adwire mcp`: the agent-calling tool for an assistant that uses MCP over standard input and output.

import { Command } from 'commander'
import { agentHostFault } from '../app/agent-hosts.ts'
import { readSecretValue } from '../app/receive/secret-value.ts'
import type { NamedAgent, SignerFor } from '../caller/ports.ts'
import { canonicalAgentUrl } from '../protocol/agent-url.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { savedAgents } from './agents.ts'
import { wholeNumber } from './arguments.ts'
import { repeatable } from './repeatable.ts'
import { addSettings, configFrom } from './settings-options.ts'
import { UsageError } from './terminal.ts'

interface McpFlags extends Record<string, unknown> {
  agent?: string
  auth?: string
  allowHost?: string[]
  allowPrivate?: boolean
  timeout: string
}

const SHARED_SETTINGS = ['protocolName', 'logLevel', 'logFormat'] as const

export function mcpCommand(): Command {
  const command = new Command('mcp')
    .description(
      'Serve the agent-calling tool to an AI assistant, as MCP over standard input and output.',
    )
    .option('--agent <url>', 'agent to call with the key of --auth')
    .option('--auth <token>', 'key of that agent; @file reads it from a file')
    .option(
      '--allow-host <host>',
      'host that may be private and use plain http: a name, an address or *.NAME; repeatable',
      repeatable,
    )
    .option('--allow-private', 'allow this for every host')
    .option('--timeout <seconds>', 'maximum time of one call, including waiting', '50')
  return addSettings(command, SHARED_SETTINGS).action(run)
}

async function run(flags: McpFlags): Promise<void> {
  const { allowHost = [], allowPrivate = false } = flags
  const shared = configFrom(Object.fromEntries(SHARED_SETTINGS.map((key) => [key, flags[key]])))
  for (const host of allowHost) {
    const fault = agentHostFault(host)
    if (fault !== undefined) throw new UsageError(`--allow-host ${host} ${fault}`)
  }
  const seconds = wholeNumber('--timeout', flags.timeout)
  if (seconds > 3_600) throw new UsageError('--timeout must be at most 3600 seconds')
  const agent = agentOf(flags)
  // A file that cannot be used is reported now, not later to the assistant.
  const agentNames = [...savedAgents().keys()]
  // Loaded only here: the other commands start several times faster without it.
  const { serveMcp } = await import('../app/mcp-server.ts')
  const { openLog } = await import('../app/open-log.ts')
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  await serveMcp(
    {
      agent,
      agentNames,
      findAgent: (name: string) => savedAgent(name, shared.protocolName),
      allowHosts: allowHost,
      allowPrivate,
      timeoutMs: seconds * 1_000,
      protocolName: shared.protocolName,
      log: openLog(shared),
    },
    { input: process.stdin, output: process.stdout, stop: stop.signal },
  )
  // The last output may not be flushed yet; standard input may be open, and would keep the process running.
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
  process.exit()
}

/**
 * The key is used only with the name it was saved under: an agent called by URL gets no key, even if the URL is the
 * same.
 */
function savedAgent(name: string, protocolName: string): NamedAgent | undefined {
  const saved = savedAgents().get(name)
  if (!saved) return undefined
  const { url: agentUrl, auth, transport, signKey } = saved
  const signerFor = signKey === undefined ? undefined : signingWith(signKey, protocolName)
  return { agentUrl, auth, transport, signerFor }
}

/** An error in the file, or in signing for this agent, fails the call but not the command. */
function signingWith(file: string, protocolName: string): SignerFor {
  return async (agent, limits) => {
    const { signKeyFrom, signerFor } = await import('./call-signer.ts')
    try {
      return await signerFor(signKeyFrom(file, protocolName), agent, limits)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      throw new ProtocolError('AGENT_CALL_FAILED', error.message)
    }
  }
}

function agentOf({ agent, auth }: McpFlags): { agentUrl: string; auth?: string } | undefined {
  if (agent === undefined) {
    if (auth === undefined) return undefined
    throw new UsageError('--auth is the key of an agent: add --agent')
  }
  if (canonicalAgentUrl(agent) === undefined) {
    throw new UsageError(`--agent must be a URL such as https://agent.example (got ${agent})`)
  }
  if (auth === undefined) return { agentUrl: agent }
  const read = readSecretValue(auth)
  if (!read.ok) throw new UsageError(`--auth ${read.error}`)
  return { agentUrl: agent, auth: read.value }
}
