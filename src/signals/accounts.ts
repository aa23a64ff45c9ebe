// The accounts that an operator grants to principals (spec 2.7), in the operator's notation: the platform's name or
// the agent's URL, a colon, and the account.

import { isUrl } from '../lib/is-url.ts'
import type { Transact } from '../lib/transaction.ts'
import { grantedPlace } from './access.ts'
import type { AccountGrant, GrantStore } from './activation-store.ts'

export type ParsedGrant = { ok: true; grant: AccountGrant } | { ok: false; message: string }

export function parseGrant(text: string): ParsedGrant {
  // A URL contains colons too, so its last colon counts.
  const isAgent = /^https?:\/\//.test(text)
  const at = isAgent ? text.lastIndexOf(':') : text.indexOf(':')
  const platform = text.slice(0, Math.max(at, 0)).trim()
  const account = text.slice(at + 1).trim()
  const isWhole = isAgent ? isUrl(platform) && account !== '' : platform !== '' && account !== ''
  if (isWhole && [platform, account].every((part) => part.length <= 255 && !part.includes('\0'))) {
    return { ok: true, grant: { platform, account } }
  }
  const message = 'is not an account: use <platform>:<account>, such as the-trade-desk:agency-123'
  return { ok: false, message: `${JSON.stringify(text)} ${message}` }
}

export interface GrantPorts {
  transact: Transact
  grants: GrantStore
}

/** The principal may use the accounts as soon as it returns. */
export function grantAccounts(
  { transact, grants }: GrantPorts,
  principalId: string,
  granted: readonly AccountGrant[],
): Promise<void> {
  return transact(async (tx) => {
    for (const grant of granted) await grants.grant(tx, principalId, grant)
  })
}

/** False if the principal did not have it. All spellings of a URL are the same agent. */
export async function revokeAccount(
  { transact, grants }: GrantPorts,
  principalId: string,
  grant: AccountGrant,
): Promise<boolean> {
  const held = await grants.of(principalId)
  const meant = held.filter(
    (one) => one.account === grant.account && grantedPlace(one) === grantedPlace(grant),
  )
  return transact(async (tx) => {
    let isRevoked = false
    for (const one of meant) {
      if (await grants.revoke(tx, principalId, one)) isRevoked = true
    }
    return isRevoked
  })
}
