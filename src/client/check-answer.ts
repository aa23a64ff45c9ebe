// Whether an answer has the form that its task promises (spec 4.2): validated against the protocol's schema; the
// first error is reported. Members that the schema does not define are accepted, unless the caller is strict.

import { z } from 'zod'
import type { Identifiers } from '../protocol/identifiers.ts'
import { checkAnswer } from '../protocol/schemas/envelope.ts'
import { issuesOf } from '../protocol/schemas/issues.ts'
import { knownTask } from './known-tasks.ts'
import type { AgentOptions } from './options.ts'

export interface CheckOptions {
  task: string
  check: AgentOptions['check']
  names: Identifiers
}

/** The first error as a readable message; undefined for a valid answer, and for an unknown task. */
export function faultOfAnswer(
  body: Record<string, unknown>,
  { task, check = 'lenient', names }: CheckOptions,
): string | undefined {
  const name = task === names.capabilitiesTask ? 'get_agent_capabilities' : task
  const known = knownTask(name)
  if (!known || check === 'none') return undefined
  const issues =
    check === 'strict'
      ? checkAnswer(known.response, body, names)
      : lenientIssues(known.response, body)
  const [first] = issues
  return (
    first &&
    `the response does not match the schema of ${task}: ${first.pointer || '/'}: ${first.message}`
  )
}

function lenientIssues(schema: z.ZodType, body: Record<string, unknown>) {
  const parsed = schema.safeParse(body)
  if (parsed.success) return []
  const faults = parsed.error.issues.filter(({ code }) => code !== 'unrecognized_keys')
  // If the schema is a union, an unknown member is reported at a deeper level.
  const reported = issuesOf(new z.ZodError(faults), body)
  return reported.filter(({ keyword }) => keyword !== 'additionalProperties')
}
