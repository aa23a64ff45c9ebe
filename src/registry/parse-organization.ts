// What a user may send about an organisation in `POST /api/organizations` (spec 4.5). Members that are not listed
// here, such as corporate_domain, are ignored: the server derives them.

import { NAME_RULE, parseName } from '../lib/display-name.ts'
import { type Refusal, refuse } from './refusal.ts'

export const COMPANY_TYPES = [
  'adtech',
  'agency',
  'brand',
  'publisher',
  'data',
  'ai',
  'other',
] as const

export const REVENUE_TIERS = [
  'under_1m',
  '1m_5m',
  '5m_50m',
  '50m_250m',
  '250m_1b',
  '1b_plus',
] as const

export interface OrganizationInput {
  name: string
  is_personal?: boolean
  company_type?: string
  revenue_tier?: string
  marketing_opt_in?: boolean
}

export function parseOrganization(
  input: unknown,
): { ok: true; wanted: OrganizationInput } | Refusal {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return refuse(400, 'an organization is a JSON object with organization_name')
  }
  const fields = input as Record<string, unknown>
  const name = parseName(fields.organization_name)
  if (name === undefined) return refuse(400, `organization_name is required: ${NAME_RULE}`)
  const wanted: OrganizationInput = { name }

  for (const [field, values] of Object.entries(CHOICES)) {
    const value = fields[field]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || !values.includes(value)) {
      return refuse(400, `${field} must be one of ${values.join(', ')}`)
    }
    wanted[field as keyof typeof CHOICES] = value
  }
  for (const flag of FLAGS) {
    const value = fields[flag]
    if (value === undefined || value === null) continue
    if (typeof value !== 'boolean') return refuse(400, `${flag} must be true or false`)
    wanted[flag] = value
  }
  return { ok: true, wanted }
}

const CHOICES: Record<'company_type' | 'revenue_tier', readonly string[]> = {
  company_type: COMPANY_TYPES,
  revenue_tier: REVENUE_TIERS,
}
const FLAGS = ['is_personal', 'marketing_opt_in'] as const
