// The manifest reference of the registry lookup (spec 2.1), as a schema to publish.

import { z } from 'zod'
import { REFERENCE_TYPES, VERIFICATION_STATUSES } from '../manifest-reference.ts'
import { webUrl } from './common.ts'

export const manifestReference = z.strictObject({
  reference_type: z.enum(REFERENCE_TYPES).describe('A file at a URL, or an agent.'),
  manifest_url: webUrl.nullable().describe('The manifest; null for an agent.'),
  agent_url: webUrl.nullable().describe('The agent; null for a URL.'),
  agent_id: z.string().nullable().describe('The id of the agent; null for a URL.'),
  verification_status: z.enum(VERIFICATION_STATUSES).describe('What its verification found.'),
})
