// `adwire call --sign-key`: signs the requests of a call (spec 5), by the rules that the agent declares. They are
// requested once, without a signature, and no other rules are tried after a refusal.

import { openAgent } from '../client/open-agent.ts'
import type { AgentOptions } from '../client/options.ts'
import type { CallOutcome } from '../client/outcome.ts'
import { createRequestSigner, type RequestRules, requestRulesOf } from '../client/sign-request.ts'
import { defined } from '../lib/defined.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import type { RequestSigner } from '../transports/client.ts'
import { UsageError } from './terminal.ts'
import { readPrivateKey } from './webhook-files.ts'

type MakeSigner = (rules: RequestRules) => RequestSigner

/** Throws a UsageError for a file without such a key. */
export function signKeyFrom(file: string, protocolName: string): MakeSigner {
  const key = readPrivateKey(file)
  const make: MakeSigner = (rules) => createRequestSigner({ key, protocolName, ...rules })
  try {
    make({})
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(`${file} cannot sign requests: ${error.message.replace(/\.$/, '')}`)
  }
  return make
}

/** Throws a UsageError when the agent does not declare that it accepts signatures. */
export async function signerFor(
  make: MakeSigner,
  agent: AgentOptions & { protocolName: string },
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number | undefined },
): Promise<{ ok: true; signer: RequestSigner } | Extract<CallOutcome, { ok: false }>> {
  const { protocolName } = agent
  const { capabilitiesTask } = identifiersFor(protocolName)
  const handle = openAgent({ ...agent, check: 'none' })
  try {
    const ask = (task: string) =>
      handle.call(task, {}, { signal, wait: false, ...defined({ timeoutMs }) })
    const first = await ask(capabilitiesTask)
    // The agent may list the task only under its other name.
    const reported =
      !first.ok && first.error.kind === 'refused' ? await ask('get_agent_capabilities') : first
    if (!reported.ok) return reported
    const chosen = requestRulesOf(reported.body, protocolName)
    if (chosen.ok) return { ok: true, signer: make(chosen.rules) }
    throw new UsageError(`${chosen.reason}: call it without --sign-key, with a key of its own`)
  } finally {
    await handle.close()
  }
}
