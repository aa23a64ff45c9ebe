// Agents by their address: what an agent declares about itself, one call of one of its tasks, and everything that was
// sent and received.

import { z } from 'zod'
import { header } from './deliveries.ts'

const MAX_URL_CHARS = 2_048
const MAX_KEY_CHARS = 4_096
const MAX_NAME_CHARS = 200

export const AGENT_TRANSPORTS = ['mcp', 'http', 'a2a'] as const
const transport = z.enum(AGENT_TRANSPORTS)

const members = z.record(z.string(), z.unknown())

export const agentUrl = z.string().trim().min(1).max(MAX_URL_CHARS)
/** It is sent to the agent and never stored. */
export const agentKey = z.string().trim().min(1).max(MAX_KEY_CHARS).optional()

export const agentsAnswer = z.strictObject({
  /** The URL at which this server itself is called. */
  own_url: z.string(),
  /** Whether this server is called with its demo key when no key is given. */
  has_demo_key: z.boolean(),
  /** Agents that the settings name. */
  known: z.array(z.string()),
})

export const askAgentBody = z.strictObject({ url: agentUrl, key: agentKey })

/** One request and its response, without secrets. */
const exchange = z.strictObject({
  method: z.string(),
  url: z.string(),
  request_headers: z.array(header),
  request_body: z.string().optional(),
  status: z.number().optional(),
  response_headers: z.array(header),
  response_body: z.string().optional(),
  /** Whether the response was truncated for display. */
  is_cut: z.boolean(),
  /** Why there is no response. */
  fault: z.string().optional(),
  duration_ms: z.number(),
})
export type Exchange = z.infer<typeof exchange>

const foundTransport = z.strictObject({
  transport,
  /** Where it is called. */
  url: z.string(),
  state: z.enum(['found', 'key_needed', 'not_found']),
  /** Why it was not found. */
  message: z.string().optional(),
  tasks: z.number(),
})

const agentTask = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  /** Whether it changes something, if that is known. */
  changes: z.boolean().optional(),
  /** As the agent returns it; some return a short one. */
  input_schema: members.optional(),
  /** The schema of the protocol, if it has a task of this name. */
  protocol_schema: members.optional(),
  transports: z.array(transport),
})
export type AgentTask = z.infer<typeof agentTask>

export const askAnswer = z.strictObject({
  url: z.string(),
  transports: z.array(foundTransport),
  /** From its agent card. */
  name: z.string().optional(),
  description: z.string().optional(),
  version: z.string().optional(),
  card: members.optional(),
  capabilities: members.optional(),
  tasks: z.array(agentTask),
  /** What was left out, and why. */
  notes: z.array(z.string()),
  exchanges: z.array(exchange),
})
export type AskAnswer = z.infer<typeof askAnswer>

const taskName = z.string().min(1).max(MAX_NAME_CHARS)
const called = { url: agentUrl, key: agentKey, transport, task: taskName }

export const callBody = z.strictObject({ ...called, params: members })
export type CallBody = z.infer<typeof callBody>

const taskId = z.string().min(1).max(500)

export const followBody = z.strictObject({ ...called, task_id: taskId })
export const cancelCallBody = z.strictObject({ ...called, task_id: taskId })

const callError = z.strictObject({
  kind: z.string(),
  code: z.string().optional(),
  message: z.string(),
  recovery: z.string().optional(),
  field: z.string().optional(),
  http_status: z.number().optional(),
  retry_after: z.number().optional(),
})

export const callAnswer = z.strictObject({
  ok: z.boolean(),
  task: z.string(),
  transport: transport.optional(),
  status: z.string().optional(),
  /** The agent's message about the status. */
  message: z.string().optional(),
  task_id: z.string().optional(),
  progress: members.optional(),
  /** The work continues at the agent, and its state can be queried. */
  goes_on: z.boolean(),
  error: callError.optional(),
  body: members.optional(),
  exchanges: z.array(exchange),
  duration_ms: z.number(),
})
export type CallAnswer = z.infer<typeof callAnswer>
