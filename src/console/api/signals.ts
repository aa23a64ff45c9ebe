// Signals: what a description finds and why, the state of each on each platform, and activating one there.

import { z } from 'zod'
import { activationKey } from '../../protocol/schemas/deployment.ts'
import { pricingOption, SIGNAL_TYPES } from '../../protocol/schemas/signal.ts'
import { ACTIVATION_STATES } from '../../signals/activation-state.ts'
import { MATCH_TIERS } from '../../signals/matching/query.ts'
import { pageQuery, textFilter, time } from './common.ts'

/** A signal that was never activated has no activation. */
const activationState = z.enum(ACTIVATION_STATES).exclude(['none'])

const signalActivation = z.strictObject({
  principal_id: z.string(),
  principal_name: z.string().optional(),
  state: activationState,
  started_at: time,
  changed_at: time,
  /** When it should be live, while it is activating and if that is known. */
  eta_at: time.optional(),
  deployed_at: time.optional(),
  activation_key: activationKey.optional(),
  /** Why it failed or was taken off. */
  reason: z.string().optional(),
  pricing_option_id: z.string().optional(),
  task_id: z.string(),
  /** Whether the task can be viewed: one that ended within its call is not listed. */
  has_task: z.boolean(),
})
export type SignalActivation = z.infer<typeof signalActivation>

/** A platform or an agent, with or without the account. */
const signalPlace = z.strictObject({
  type: z.enum(['platform', 'agent']),
  /** The platform's name or the agent's URL; `*` if any agent may request it. */
  name: z.string(),
  account: z.string().optional(),
  /** The catalogue's data about it; missing if only an activation refers to it. */
  catalogue: z
    .strictObject({
      is_live: z.boolean(),
      activation_key: activationKey.optional(),
      minutes: z.number().optional(),
    })
    .optional(),
  /** The latest change first. */
  activations: z.array(signalActivation),
})
export type SignalPlace = z.infer<typeof signalPlace>

const signalItem = z.strictObject({
  signal_id: z.string(),
  name: z.string(),
  description: z.string(),
  signal_type: z.enum(SIGNAL_TYPES),
  data_provider: z.string(),
  coverage_percentage: z.number(),
  /** Empty if it can be used everywhere. */
  countries: z.array(z.string()),
  /** The prices for the selected principal. */
  pricing_options: z.array(pricingOption),
  /** Whether only some principals may see it. */
  is_private: z.boolean(),
  version: z.number(),
  changed_at: time,
  /** Why it was found, if words were searched for. */
  match: z
    .strictObject({
      reason: z.string(),
      /** From 0 to 1. */
      relevance: z.number(),
      tier: z.enum(MATCH_TIERS).optional(),
    })
    .optional(),
  places: z.array(signalPlace),
})
export type SignalItem = z.infer<typeof signalItem>

const MAX_PAGE = 100
const FIRST_PAGE = 25

/** A principal's id: returns what this principal sees. Default: the operator, who sees everything. */
const as = textFilter.optional()

export const signalsQuery = z.strictObject({
  ...pageQuery,
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(FIRST_PAGE),
  /** The audience in plain language, or the id of a signal. */
  q: textFilter.optional(),
  as,
  provider: textFilter.optional(),
  type: z.enum(SIGNAL_TYPES).optional(),
  /** Only signals with an activation in this state. */
  state: activationState.optional(),
})
export type SignalsQuery = z.infer<typeof signalsQuery>

export const signalsPage = z.strictObject({
  items: z.array(signalItem),
  next_cursor: z.string().optional(),
  /** The total number; missing if it was not counted. */
  total: z.number().optional(),
  /** The message of the search about its answer. */
  message: z.string(),
  /** Words that were corrected before the search. */
  corrected: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  /** The state of the sentence model, if words were searched for. */
  model: z
    .strictObject({
      state: z.enum(['unused', 'used', 'off', 'missing']),
      reason: z.string().optional(),
      /** The number of signals, and how many of them the model has read. */
      signals: z.number(),
      vectors: z.number(),
    })
    .optional(),
})
export type SignalsPage = z.infer<typeof signalsPage>

export const signalDetails = z.strictObject({
  ...signalItem.shape,
  tags: z.array(z.string()),
  data_provider_domain: z.string().optional(),
  /** The only principals that may see it, by id or name. */
  visible_to: z.array(z.string()).optional(),
  methodology: z.string().optional(),
  refresh_cadence: z.string().optional(),
  updated_at: z.string().optional(),
  /** As the catalogue holds it. */
  catalogue: z.looseObject({}),
  /** Whether there are more activations than those returned. */
  has_more_activations: z.boolean(),
})
export type SignalDetails = z.infer<typeof signalDetails>

export const signalParams = z.strictObject({ signal_id: z.string().min(1).max(2_048) })
export const signalQuery = z.strictObject({ as })

export const signalChoices = z.strictObject({
  /** The principals that can be selected for viewing and activating; at most 500. */
  principals: z.array(
    z.strictObject({
      principal_id: z.string(),
      name: z.string(),
      /** Whether it is who is signed in. */
      is_self: z.boolean(),
      /** Why nothing is activated for it, if that is the case. */
      refusal: z.string().optional(),
    }),
  ),
  /** At most 200. */
  providers: z.array(z.string()),
  /** What a file to import may weigh. */
  max_file_bytes: z.number(),
})
export type SignalChoices = z.infer<typeof signalChoices>

export const activateBody = z.strictObject({
  action: z.enum(['activate', 'deactivate']),
  type: z.enum(['platform', 'agent']),
  /** The platform's name or the agent's URL. */
  name: z.string().min(1).max(2_048),
  account: z.string().min(1).max(255).optional(),
  pricing_option_id: z.string().min(1).max(255).optional(),
  /** For whom. */
  principal_id: z.string().min(1).max(255),
})
export type ActivateBody = z.infer<typeof activateBody>

export const activateAnswer = z.strictObject({
  /** `done`: it already had this state, and there is no task. */
  outcome: z.enum(['begun', 'done']),
  message: z.string(),
  task_id: z.string().optional(),
})
export type ActivateAnswer = z.infer<typeof activateAnswer>

export const grantsParams = z.strictObject({ principal_id: z.string().min(1).max(255) })

export const grantsAnswer = z.strictObject({
  items: z.array(z.strictObject({ platform: z.string(), account: z.string() })),
})
