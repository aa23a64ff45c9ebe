// Where a signal goes and how it is used there: the deployment target (spec 2.7), the activation key (spec 2.8), and
// the deployment that a response reports (spec 2.6, 3.3).

import { z } from 'zod'
import { withRule } from './checks.ts'
import { isoTime, opaqueId, quantity, webUrl } from './common.ts'

const platform = opaqueId.describe('Identifier of the platform, such as the-trade-desk.')
const agentUrl = webUrl.describe('The sales agent.')
const account = opaqueId.optional().describe('Account there; without it, platform-wide.')

export const deploymentTarget = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('platform'), platform, account }),
    z.looseObject({ type: z.literal('agent'), agent_url: agentUrl, account }),
  ])
  .meta({ examples: [{ type: 'platform', platform: 'the-trade-desk', account: 'agency-123' }] })

/** A target, with only its own members. */
export type DeploymentTarget =
  | { type: 'platform'; platform: string; account?: string | undefined }
  | { type: 'agent'; agent_url: string; account?: string | undefined }

export const MAX_DEPLOYMENTS = 50

export const deploymentTargets = z.array(deploymentTarget).min(1).max(MAX_DEPLOYMENTS)

export const activationKey = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('segment_id'),
    segment_id: z.string().describe('The segment’s id on the platform.'),
  }),
  z.strictObject({
    type: z.literal('key_value'),
    key: z.string().describe('Targeting key.'),
    value: z.string().describe('Targeting value.'),
  }),
])
/** The key that identifies a signal where it was activated. */
export type ActivationKey = z.infer<typeof activationKey>

/** The same text for equal keys, and different texts for others unless a key contains `=`. */
export function activationKeyText(key: ActivationKey): string {
  return key.type === 'segment_id'
    ? `segment_id:${key.segment_id}`
    : `key_value:${key.key}=${key.value}`
}

const state = {
  account,
  is_live: z.boolean().describe('Whether the signal can be used in targeting there.'),
  activation_key: activationKey.optional().describe('What targeting names it by, once live.'),
  estimated_activation_duration_minutes: quantity
    .optional()
    .describe('Minutes until it is live, while it is not.'),
  deployed_at: isoTime.optional().describe('When it went live.'),
  scope: z
    .enum(['platform-wide', 'account-specific'])
    .optional()
    .describe('Whom the deployment serves.'),
}

/** A deployment in a response: it has a key only if the signal is live. */
export const deployment = withRule(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('platform'), platform, ...state }),
    z.strictObject({ type: z.literal('agent'), agent_url: agentUrl, ...state }),
  ]),
  ({ is_live, activation_key }, report) => {
    if (is_live === false && activation_key !== undefined) {
      report(['activation_key'], 'A deployment that is not live has no activation_key.', 'not')
    }
  },
)
export type Deployment = z.infer<typeof deployment>
