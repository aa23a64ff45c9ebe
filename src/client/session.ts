// What a caller keeps about one agent between calls: the transport that was found, the tasks that the agent lists,
// and the connections. Nothing is requested before it is needed, and failures are not remembered.

import { defined } from '../lib/defined.ts'
import { DEFAULT_PROTOCOL_NAME, type Identifiers, identifiersFor } from '../protocol/identifiers.ts'
import type { Transport } from '../protocol/task.ts'
import type { CallFailure, ClientFetch, ListedTask } from '../transports/client.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { type FoundTransport, findTransport } from './find-transport.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { knownTask } from './known-tasks.ts'
import type { AgentOptions } from './options.ts'

export interface Session {
  options: AgentOptions
  names: Identifiers
  /** The transport and its client. */
  connect(signal?: AbortSignal): Promise<FoundTransport | CallFailure>
  /** The transport, once it was found. */
  transport(): Transport | undefined
  /** Whether a call of the task should carry an idempotency key. */
  changes(task: string, signal: AbortSignal): Promise<boolean>
  /** Aborted when it is closed. */
  closing: AbortSignal
  close(): Promise<void>
}

export function createSession(options: AgentOptions): Session {
  const guarded = options.fetch ? undefined : guardedFetch(options.allowPrivate)
  const fetch: ClientFetch = boundedFetch(options.fetch ?? (guarded?.fetch as ClientFetch))
  const {
    agentUrl: url,
    auth: key,
    signer,
    transport,
    protocolName = DEFAULT_PROTOCOL_NAME,
  } = options
  const closing = new AbortController()
  let found: FoundTransport | undefined
  let listed: Map<string, ListedTask> | undefined

  const session: Session = {
    options,
    names: identifiersFor(protocolName),
    connect: async (signal) => {
      if (found) return found
      const now = await findTransport(
        { url, fetch, ...defined({ key, signer }) },
        { transport, signal },
      )
      if (now.ok) found = now
      return now
    },
    transport: () => found?.transport,
    changes: async (task, signal) => {
      const known = knownTask(task)
      if (known) return known.changes
      if (!listed) {
        const at = await session.connect(signal)
        const list = at.ok ? await at.client.listTasks({ signal }) : at
        if (list.ok) listed = new Map(list.tasks.map((one) => [one.name, one]))
      }
      return changesByListing(task, listed?.get(task))
    },
    closing: closing.signal,
    close: async () => {
      closing.abort()
      await guarded?.close()
    },
  }
  return session
}

/** Names of reading tasks, by the convention of the protocol. */
const READS = /^(?:get|list|preview|validate|check|search)_/

/** The agent's listing says so, or its schema has the member; if there is no schema, the name decides. */
function changesByListing(task: string, listed: ListedTask | undefined): boolean {
  if (listed?.changes !== undefined) return listed.changes
  const members = listed?.inputSchema?.properties
  if (typeof members !== 'object' || members === null) return !READS.test(task)
  return Object.hasOwn(members, 'idempotency_key')
}
