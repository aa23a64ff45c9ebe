// activate_signal (spec 4.3, 3.3): activates a signal on its targets, or deactivates it again.

import { z } from 'zod'
import { ext, opaqueId } from './common.ts'
import { deployment, deploymentTargets } from './deployment.ts'
import { errorList } from './error-object.ts'

export const activateSignalRequest = z.looseObject({
  signal_agent_segment_id: opaqueId.describe('The signal, from get_signals.'),
  deployments: deploymentTargets.optional().describe('Platforms and agents, 1 to 50.'),
  destinations: deploymentTargets.optional().describe('The same, under its 3.x name.'),
  deliver_to: z
    .looseObject({ deployments: deploymentTargets.optional() })
    .optional()
    .describe('The same, under an older name.'),
  action: z.enum(['activate', 'deactivate']).optional().describe('Default activate.'),
  pricing_option_id: opaqueId.optional().describe('How to pay, of the signal’s pricing_options.'),
  governance_context: z.string().max(4096).optional().describe('Passed on to governance.'),
})
export type ActivateSignalRequest = z.infer<typeof activateSignalRequest>

export const activateSignalResponse = z.strictObject({
  deployments: z.array(deployment).describe('Status of each target.'),
  errors: errorList.optional().describe('Warnings, and targets that failed.'),
  sandbox: z.boolean().optional(),
  ext: ext.optional(),
})
export type ActivateSignalResponse = z.infer<typeof activateSignalResponse>
