// Doctor runs for an agent or a webhook receiver, check by check.

import { z } from 'zod'
import { agentKey, agentUrl } from './agents.ts'
import { time } from './common.ts'

const MAX_SECRET_CHARS = 4_096
const secret = z.string().min(1).max(MAX_SECRET_CHARS)

export const examineBody = z.discriminatedUnion('subject', [
  z.strictObject({
    subject: z.literal('agent'),
    url: agentUrl,
    /** Without it, checks that need a key are skipped. */
    key: agentKey,
    /** The key of another caller: used to check that callers cannot see each other's work. */
    other_key: agentKey,
    /** Whether checks may start tasks at the agent. */
    may_write: z.boolean().default(false),
  }),
  z.strictObject({
    subject: z.literal('receiver'),
    url: agentUrl,
    /** How the receiver recognizes the sender: by this server's own signing key, or by a legacy secret. */
    credential: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('own-key') }),
      z.strictObject({ kind: z.literal('hmac'), secret }),
      z.strictObject({ kind: z.literal('bearer'), secret }),
    ]),
    /** The token of the registration, if it has one. */
    token: secret.optional(),
  }),
])
export type ExamineBody = z.infer<typeof examineBody>

const finding = z.strictObject({
  check: z.string(),
  what: z.string(),
  why: z.string(),
  fix: z.string(),
})

const checkResult = z.strictObject({
  id: z.string(),
  group: z.string(),
  title: z.string(),
  state: z.enum(['passed', 'failed', 'skipped']),
  /** Why it was skipped. */
  reason: z.string().optional(),
  findings: z.array(finding),
})
export type CheckResult = z.infer<typeof checkResult>

const summary = z.strictObject({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  findings: z.number(),
})

const runFacts = {
  run_id: z.string(),
  subject: z.enum(['agent', 'receiver']),
  url: z.string(),
  /**
   * `stopped`: cancelled, or the time limit was reached; the remaining checks are skipped. `broken`: it could not
   * run.
   */
  state: z.enum(['running', 'done', 'stopped', 'broken']),
  /** Why it was stopped or could not run. */
  reason: z.string().optional(),
  by: z.string(),
  may_write: z.boolean(),
  started_at: time,
  ended_at: time.optional(),
  summary,
}

const examination = z.strictObject(runFacts)
export type Examination = z.infer<typeof examination>

export const examinations = z.strictObject({
  /** The newest first. */
  items: z.array(examination),
  has_own_key: z.boolean(),
})

export const examinationDetails = z.strictObject({
  ...runFacts,
  /** While it runs: the number of checks, and the one that is running now. */
  total: z.number().optional(),
  now: z.string().optional(),
  /** Nobody answered. */
  is_away: z.boolean(),
  checks: z.array(checkResult),
})
export type ExaminationDetails = z.infer<typeof examinationDetails>

export const examinationParams = z.strictObject({ run_id: z.string().min(1).max(64) })
