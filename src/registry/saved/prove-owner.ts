// An organisation proves that a domain is its own, by publishing a value in DNS or in a file. From then on it alone saves
// entries for the domain, which are public at once. Whoever proves it later takes its place: domains are sold.

import { withDeadline } from '../../lib/deadline.ts'
import { callerOrganization, callerOrganizationWithin, type RegistryCaller } from '../caller.ts'
import { type Challenge, challengesFor, type MakeChallenge } from '../challenge.ts'
import { editorWithin } from '../contributors.ts'
import { type ChallengeRun, findChallenge } from '../find-challenge.ts'
import type { Refusal } from '../refusal.ts'
import { savedDomain } from './may-be-saved.ts'
import { claimEntries, type SavedPorts } from './save-entry.ts'

export interface OwnerPorts extends SavedPorts {
  challenge: MakeChallenge
  fetch: ChallengeRun['fetch']
  resolveTxt: ChallengeRun['resolveTxt']
}

export async function askOwnership(
  ports: OwnerPorts,
  caller: RegistryCaller,
  given: string,
): Promise<{ ok: true; own: Challenge; parent: Challenge | null } | Refusal> {
  const named = savedDomain(given)
  if (!named.ok) return named
  const { organizationId } = await callerOrganization(ports, caller)
  return { ok: true, ...challengesFor(ports.challenge, organizationId, named.domain) }
}

export interface OwnershipResult {
  ok: true
  domain: string
  verified: boolean
  proved_by: string | null
  /** What was looked for, if nothing was found. */
  tried: string[]
}

/** Longest time of one look: two TXT records and two files. */
const LOOK_MS = 25_000

export async function proveOwnership(
  ports: OwnerPorts,
  caller: RegistryCaller,
  given: string,
): Promise<OwnershipResult | Refusal> {
  const asked = await askOwnership(ports, caller, given)
  if (!asked.ok) return asked
  const { domain } = asked.own
  const found = await withDeadline({ timeoutMs: LOOK_MS }, (signal) => look(ports, asked, signal))
  if (found.proved_by === null) return { ok: true, domain, verified: false, ...found }
  const { proved_by } = found
  await ports.transact(async (tx) => {
    const { organizationId } = await callerOrganizationWithin(tx, ports, caller)
    await ports.saved.setOwner(tx, { domain, organizationId, proved_by })
    const editor = await editorWithin(tx, ports, caller)
    await claimEntries(ports, tx, { domain, editor })
  })
  return { ok: true, domain, verified: true, ...found }
}

async function look(
  { fetch, resolveTxt }: OwnerPorts,
  { own, parent }: { own: Challenge; parent: Challenge | null },
  signal: AbortSignal,
): Promise<{ proved_by: string | null; tried: string[] }> {
  const startedAt = performance.now()
  const timeoutMs = () => Math.max(0, Math.round(LOOK_MS - (performance.now() - startedAt)))
  const run: ChallengeRun = { fetch, resolveTxt, signal, timeoutMs }
  const first = await findChallenge(own, run)
  if (first.ok) return { proved_by: first.by, tried: [] }
  if (parent === null) return { proved_by: null, tried: first.tried }
  const second = await findChallenge(parent, run)
  if (second.ok) return { proved_by: `parent_${second.by}`, tried: [] }
  return { proved_by: null, tried: [...first.tried, ...second.tried] }
}
