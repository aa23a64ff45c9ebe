// The doctor of the console: checks that use the guard of calls to other agents, within time limits.

import { createDoctorRuns, type DoctorRuns, type Examine } from '../console/doctor-runs.ts'
import { CONSOLE_LIMITS } from '../console/limits.ts'
import { examineAgent } from '../doctor/examine-agent.ts'
import { type Credential, examineReceiver } from '../doctor/examine-receiver.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { defined } from '../lib/defined.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { ConsoleAgents } from './console-agents.ts'
import type { Parts } from './parts.ts'

export interface DoctorParts extends Pick<ConsoleAgents, 'egressFor' | 'keyFor'> {
  ring: KeyRing
}

const AGENT_CALL_MS = 30_000
const WEBHOOK_WAIT_MS = 45_000
const NOT_WRITING = 'it changes something, which was not allowed'

export function consoleDoctor(
  { config: { protocolName }, clock, stopping }: Parts,
  { egressFor, keyFor, ring }: DoctorParts,
): { doctor: DoctorRuns; hasSigningKey(): Promise<boolean> } {
  const examine: Examine = async (body, { owner, ...hooks }) => {
    const shared = {
      protocolName,
      notWriting: NOT_WRITING,
      egress: guardOf(egressFor, owner),
      ...hooks,
      onProgress: ({ total, title }: { total: number; title: string }) =>
        // The first check, whether the agent responds at all, is not included in the total.
        hooks.onProgress({ total: total + 1, title }),
    }
    const report =
      body.subject === 'agent'
        ? await examineAgent({
            ...shared,
            agentUrl: body.url,
            mayWrite: body.may_write,
            callTimeoutMs: AGENT_CALL_MS,
            webhookWaitMs: WEBHOOK_WAIT_MS,
            ...defined({ key: keyFor(body.url, body.key), otherKey: body.other_key }),
          })
        : await examineReceiver({
            ...shared,
            url: body.url,
            credential: await credentialOf(body.credential, ring),
            ...defined({ token: body.token }),
          })
    return { isAway: report.exit_code === 3 }
  }
  const { examinations, reports, examinationSeconds } = CONSOLE_LIMITS
  return {
    doctor: createDoctorRuns({
      examine,
      clock,
      stopping,
      atOnce: examinations.value,
      most: reports.value,
      timeoutMs: examinationSeconds.value * 1_000,
    }),
    hasSigningKey: () =>
      ring.signer().then(
        () => true,
        () => false,
      ),
  }
}

/** Each request goes through the guard for its destination. */
function guardOf(egressFor: DoctorParts['egressFor'], owner: string): Egress {
  return {
    fetch: (request) => egressFor(new URL(request.url)).fetch({ ...request, owner }),
    checkUrl: (url) => egressFor(new URL(url)).checkUrl(url),
    close: async () => {},
  }
}

type Given = Extract<Parameters<Examine>[0], { subject: 'receiver' }>['credential']

async function credentialOf(given: Given, ring: KeyRing): Promise<Credential> {
  switch (given.kind) {
    case 'own-key':
      return { kind: 'key', signer: await ring.signer() }
    case 'hmac':
      return { kind: 'hmac', secret: given.secret }
    case 'bearer':
      return { kind: 'bearer', token: given.secret }
  }
}
