// What a session of the console may do: from the scopes of a principal, or from the groups of a person.

import type { Scope } from '../agent/principals.ts'
import { ROLES, type Role } from './api/role-names.ts'

/** All that a role includes: an admin has every role, and everybody may read. Empty for no role at all. */
export function withIncluded(given: Iterable<Role>): readonly Role[] {
  const own = new Set(given)
  if (own.size === 0) return []
  return own.has('admin') ? ROLES : ROLES.filter((role) => role === 'viewer' || own.has(role))
}

const OF_SCOPES: ReadonlyMap<Scope, Role> = new Map([
  ['viewer', 'viewer'],
  ['operator', 'operator'],
  ['approver', 'approver'],
  ['admin', 'admin'],
  ['break-glass', 'admin'],
])

/** The roles that a principal's scopes allow; empty: none. */
export function rolesOfScopes(scopes: readonly Scope[]): readonly Role[] {
  return withIncluded(scopes.flatMap((scope) => OF_SCOPES.get(scope) ?? []))
}
