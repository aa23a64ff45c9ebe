// get_agent_capabilities (spec 4.5): what an agent can do. The block named after the protocol is open here;
// `protocolBlock` describes it.

import { z } from 'zod'
import { count, ext, isoTime, text } from './common.ts'
import { errorList } from './error-object.ts'

export const getAgentCapabilitiesRequest = z.looseObject({
  protocols: z.array(text(64)).max(20).optional().describe('Only these parts; default all.'),
})
export type GetAgentCapabilitiesRequest = z.infer<typeof getAgentCapabilitiesRequest>

/** The member named after the protocol: versions, and how repeated requests are handled. */
export const protocolBlock = z.looseObject({
  major_versions: z.array(z.int().min(1)).min(1).describe('Major versions served.'),
  supported_versions: z.array(z.string()).optional().describe('Releases served, oldest first.'),
  build_version: z.string().optional().describe('Version of this program.'),
  idempotency: z
    .looseObject({
      supported: z.boolean(),
      replay_ttl_seconds: count.optional().describe('How long an answer is kept.'),
    })
    .describe('How repeated calls are treated.'),
})

const open = z.looseObject({})

// The block `signals` is not listed: a signal agent may be private, and this shape is public.
export const getAgentCapabilitiesResponse = z.looseObject({
  supported_protocols: z.array(z.string()).describe('Parts of the protocol that are served.'),
  tasks: z.array(z.string()).optional().describe('Tasks that can be called.'),
  account: open.optional().describe('How accounts are made and named.'),
  creative: open.optional().describe('What the creative agent can do.'),
  media_buy: open.optional().describe('What can be bought, and how it is reported.'),
  request_signing: open.optional().describe('Whether signed requests are read.'),
  webhook_signing: z
    .looseObject({
      supported: z.boolean(),
      profile: z.string().optional(),
      algorithms: z.array(z.string()).optional(),
      legacy_hmac_fallback: z.boolean().optional(),
    })
    .optional()
    .describe('How webhooks are signed.'),
  identity: open.optional().describe('Where the operator’s keys are published.'),
  specialisms: z.array(z.string()).optional().describe('Conformance profiles claimed.'),
  last_updated: isoTime.optional().describe('When this changed.'),
  errors: errorList.optional().describe('Warnings.'),
  ext: ext.optional(),
})
export type GetAgentCapabilitiesResponse = z.infer<typeof getAgentCapabilitiesResponse>
