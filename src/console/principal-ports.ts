// What the views of principals receive.

import type { PrincipalStore } from '../agent/principals.ts'
import type { RequestKeyStore } from '../agent/request-keys.ts'
import type { ApiKeyStore } from '../lib/api-keys.ts'
import type { Clock } from '../lib/clock.ts'
import type { QuotaLimits } from '../protocol/quota.ts'
import type { GrantStore } from '../signals/activation-store.ts'
import type { ActionPorts } from './audit.ts'
import type { Links } from './links.ts'
import type { PrincipalQueries } from './principal-queries.ts'

export interface PrincipalViewPorts extends ActionPorts {
  clock: Clock
  principals: PrincipalStore
  apiKeys: ApiKeyStore
  requestKeys: RequestKeyStore
  /** The member of a JWK that states its purpose. */
  keyUse: string
  grants: Pick<GrantStore, 'of'>
  quotaLimits: QuotaLimits
  principalQueries: PrincipalQueries
  links: Links
}
