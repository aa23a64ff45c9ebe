// Whether a request registers webhooks that are secured by a shared secret (spec 5, the legacy schemes). Callers with
// a registered key must sign such a request: otherwise a stolen bearer key could redirect webhooks and weaken how
// they are secured. 3.x requires the signature of every caller; a setting allows the older behaviour.

import type { TaskError } from '../protocol/errors.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import type { Admitted, AuthenticationPorts } from './authentication.ts'
import { signatureRequired } from './signing-policy.ts'

type Ports = Pick<AuthenticationPorts, 'signing'> & {
  identifiers: Pick<Identifiers, 'versionMember' | 'majorVersionMember'>
}

export async function registrationFault(
  { signing, identifiers }: Ports,
  { principal, signature }: Admitted,
  body: unknown,
): Promise<TaskError | undefined> {
  if (!signing || !principal || signature?.ok || !holds(body, isLegacy)) return undefined
  const { unsignedLegacy = 'all' } = signing
  const versions = [identifiers.versionMember, identifiers.majorVersionMember]
  const isNamed = (one: object) => versions.some((member) => Object.hasOwn(one, member))
  const isRefused =
    unsignedLegacy === 'none' || (unsignedLegacy === 'unversioned' && holds(body, isNamed))
  if (isRefused) {
    return signatureRequired(
      'a webhook with legacy authentication must be registered by a signed request: sign the request, or omit authentication ' +
        'so that webhooks are signed',
    )
  }
  if (!(await signing.hasKeys(principal.principal_id))) return undefined
  return signatureRequired(
    'a webhook with legacy authentication must be registered by a signed request, because you have a key on file: ' +
      'sign the request, or omit authentication',
  )
}

/** Whether an object at any depth matches: a transport or a task may have `{url, authentication: {…}}` anywhere. */
function holds(body: unknown, isSo: (value: Record<string, unknown>) => boolean): boolean {
  const left: unknown[] = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    if (isSo(value as Record<string, unknown>)) return true
    for (const [name, member] of Object.entries(value)) {
      // A context belongs to the caller, and nothing in it is read.
      if (name !== 'context' && typeof member === 'object' && member !== null) left.push(member)
    }
  }
  return false
}

function isLegacy({ url, authentication }: Record<string, unknown>): boolean {
  if (typeof url !== 'string' || typeof authentication !== 'object' || !authentication) return false
  return Object.keys(authentication).length > 0
}
