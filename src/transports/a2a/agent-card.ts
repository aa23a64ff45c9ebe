// The agent card: identity, endpoint and tasks as skills (spec 4.2). One document that readers of both 1.0 and
// 0.3 understand, since each ignores unknown members.

import { describeTask } from '../../agent/task-guides.ts'
import type { TaskTable } from '../../agent/task-table.ts'

export interface A2aIdentity {
  /** What the server calls itself. */
  name: string
  version: string
  /** Default: a sentence that names the skills. */
  description?: string
}

interface Endpoint {
  url: string
  /** The extension by which A2A 1.0 carries the protocol; the only one if nothing else is accepted. */
  profile: { uri: string; isAlone: boolean }
}

const PROFILE = 'Tasks by name, with a typed input and a response in a data part'
const JSON_MODE = 'application/json'
const KEY_NEEDED = {
  security: [{ bearer: [] }],
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
}

export function agentCard(
  { name, version, description }: A2aIdentity,
  tasks: TaskTable,
  { url, profile }: Endpoint,
): object {
  const at = (protocolVersion: string) => ({ url, protocolBinding: 'JSONRPC', protocolVersion })
  // Anyone may read it, so it contains only public information.
  const known = tasks.knownTo(undefined)
  return {
    name,
    description: description ?? `Tasks of advertising automation at ${name}: one skill each.`,
    version,
    ...(profile.isAlone
      ? { supportedInterfaces: [at('1.0')] }
      : {
          protocolVersion: '0.3.0',
          url,
          preferredTransport: 'JSONRPC',
          supportedInterfaces: [at('1.0'), at('0.3')],
        }),
    capabilities: {
      streaming: false,
      pushNotifications: true,
      extendedAgentCard: false,
      // The agent's features are listed in its capabilities, not in parameters here.
      extensions: [{ uri: profile.uri, description: PROFILE, required: profile.isAlone }],
    },
    defaultInputModes: profile.isAlone ? [JSON_MODE] : [JSON_MODE, 'text/plain'],
    defaultOutputModes: [JSON_MODE],
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        httpAuthSecurityScheme: { scheme: 'Bearer', description: 'A key that begins with adw_.' },
      },
    },
    skills: known.map((entry) => ({
      id: entry.name,
      name: entry.name,
      description: describeTask(entry, known),
      tags: [entry.task.area],
      examples: [
        JSON.stringify({ skill: entry.name, [profile.isAlone ? 'input' : 'parameters']: {} }),
      ],
      inputModes: [JSON_MODE],
      outputModes: [JSON_MODE],
      ...(entry.task.access === 'public' ? {} : KEY_NEEDED),
    })),
  }
}
