// The agent card: who this agent is, where it answers, and its tasks as skills (spec 4.2). One
// document that readers of 1.0 and of 0.3 both understand, since each skips what it does not know.

import type { TaskTable } from '../../agent/task-table.ts'

export interface A2aIdentity {
  /** What the server calls itself. */
  name: string
  version: string
  /** Default: a sentence that names the skills. */
  description?: string
}

const JSON_MODE = 'application/json'
const KEY_NEEDED = {
  security: [{ bearer: [] }],
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
}

export function agentCard(
  { name, version, description }: A2aIdentity,
  tasks: TaskTable,
  url: string,
): object {
  return {
    name,
    description: description ?? `Tasks of advertising automation at ${name}: one skill each.`,
    version,
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
      ...{ url, protocolBinding: 'JSONRPC', protocolVersion },
    })),
    capabilities: { streaming: false, pushNotifications: true, extendedAgentCard: false },
    defaultInputModes: [JSON_MODE, 'text/plain'],
    defaultOutputModes: [JSON_MODE],
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        httpAuthSecurityScheme: { scheme: 'Bearer', description: 'A key that begins with adw_.' },
      },
    },
    // Anybody may read it, so it has what everybody knows of.
    skills: tasks.knownTo(undefined).map(({ name: id, task }) => ({
      id,
      name: id,
      description: task.summary,
      tags: [task.area],
      examples: [JSON.stringify({ skill: id, parameters: {} })],
      inputModes: [JSON_MODE],
      outputModes: [JSON_MODE],
      ...(task.access === 'public' ? {} : KEY_NEEDED),
    })),
  }
}
