// Every check of an agent, in the order in which they run: those that others depend on first, and those that look at
// all responses last.

import type { Check } from '../check.ts'
import { ANSWER_CHECKS } from './answers.ts'
import { AUTH_CHECKS } from './auth.ts'
import { KEY_CHECKS } from './brand.ts'
import { CAPABILITY_CHECKS } from './capabilities.ts'
import type { AgentContext } from './context.ts'
import { ERROR_CHECKS, LEAK_CHECKS } from './errors.ts'
import { IDEMPOTENCY_CHECKS } from './idempotency.ts'
import { LIST_CHECKS, RATE_CHECKS } from './lists.ts'
import { PREVIEW_CHECKS } from './previews.ts'
import { REACH_CHECKS } from './reach.ts'
import { WIRE_CHECKS } from './transports.ts'
import { WEBHOOK_CHECKS } from './webhooks.ts'

export const AGENT_CHECKS: readonly Check<AgentContext>[] = [
  ...REACH_CHECKS,
  ...WIRE_CHECKS,
  ...CAPABILITY_CHECKS,
  ...ANSWER_CHECKS,
  ...LIST_CHECKS,
  ...PREVIEW_CHECKS,
  ...KEY_CHECKS,
  ...AUTH_CHECKS,
  ...IDEMPOTENCY_CHECKS,
  ...WEBHOOK_CHECKS,
  ...ERROR_CHECKS,
  ...RATE_CHECKS,
  ...LEAK_CHECKS,
]
