// Whether a request asks for webhooks that are secured by a shared secret (spec 5, the legacy schemes). Who has a
// key on file must sign such a request: else whoever steals its bearer key could have its webhooks sent in a
// weaker way, and to somewhere else.

import type { TaskError } from '../protocol/errors.ts'
import type { Admitted, AuthenticationPorts } from './authentication.ts'
import { signatureRequired } from './signing-policy.ts'

export async function registrationFault(
  { signing }: Pick<AuthenticationPorts, 'signing'>,
  { principal, signature }: Admitted,
  body: unknown,
): Promise<TaskError | undefined> {
  if (!signing || !principal || signature?.ok || !registersLegacy(body)) return undefined
  if (!(await signing.hasKeys(principal.principal_id))) return undefined
  return signatureRequired(
    'a webhook with legacy authentication is registered by a signed request, since you have a key on file: ' +
      'sign it, or leave authentication out',
  )
}

/** At any depth: `{url, authentication: {schemes, credentials}}`, wherever a wire or a task has it. */
function registersLegacy(body: unknown): boolean {
  const left: unknown[] = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    if (isLegacy(value as Record<string, unknown>)) return true
    for (const [name, member] of Object.entries(value)) {
      // A context is the caller's own, and nothing is read in it.
      if (name !== 'context' && typeof member === 'object' && member !== null) left.push(member)
    }
  }
  return false
}

function isLegacy({ url, authentication }: Record<string, unknown>): boolean {
  if (typeof url !== 'string' || typeof authentication !== 'object' || !authentication) return false
  return Object.keys(authentication).length > 0
}
