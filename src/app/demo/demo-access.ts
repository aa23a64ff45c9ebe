// With --demo one key does everything: where an organisation's key is required, the demo principal's key counts as
// that of the demo organisation.

import type { PrincipalStore } from '../../agent/principals.ts'
import { hashApiKey } from '../../lib/api-key.ts'
import type { RegistryAccess } from '../../registry/access.ts'

export interface DemoAccessPorts {
  principals: Pick<PrincipalStore, 'byKeyHash'>
  /** The id of the demo organisation; undefined until the demo is loaded. */
  organizationId: () => Promise<string | undefined>
}

const DEMO_BEARER = /^Bearer +(adw_[A-Za-z0-9_-]{16,128}) *$/i

/** All others are left to `access`. */
export function withDemoKey(
  access: RegistryAccess,
  { principals, organizationId }: DemoAccessPorts,
): RegistryAccess {
  let known: string | undefined
  return {
    authenticate: async (authorization) => {
      const key = DEMO_BEARER.exec(authorization ?? '')?.[1]
      const principal = key === undefined ? undefined : await principals.byKeyHash(hashApiKey(key))
      if (!principal?.is_demo) return access.authenticate(authorization)
      known ??= await organizationId()
      if (known === undefined) return access.authenticate(authorization)
      return { ok: true, caller: { kind: 'organization', organizationId: known } }
    },
  }
}
