// An authorization as a row of the database.

import type { AuthorizationRecord, Terms } from '../../../registry/authorizations/authorization.ts'

export type AuthorizationRow = Omit<AuthorizationRecord, 'property_ids' | 'terms'> & {
  property_ids: string
  terms: string
}

export const AUTHORIZATION_COLUMNS = `a.id, a.publisher_domain, a.agent_url, a.authorization_type, a.status, a.file_id, a.entry,
  a.discovery_method, a.manager_domain, a.property_ids, a.properties_total, a.terms, a.created_at, a.updated_at`

export function authorizationOf(row: AuthorizationRow): AuthorizationRecord {
  return {
    id: row.id,
    publisher_domain: row.publisher_domain,
    agent_url: row.agent_url,
    authorization_type: row.authorization_type,
    status: row.status,
    file_id: row.file_id,
    entry: row.entry,
    discovery_method: row.discovery_method,
    manager_domain: row.manager_domain,
    property_ids: JSON.parse(row.property_ids) as string[],
    properties_total: row.properties_total,
    terms: JSON.parse(row.terms) as Terms,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
