// Generates /docs/task-errors.md from the list of codes (spec 7) and the table of their HTTP statuses. A code without
// a row does not compile.

import { ERROR_CODES, type ErrorCode, type Recovery } from '../protocol/errors.ts'
import { STATUS } from '../transports/http/task-errors.ts'

const WHEN: Record<ErrorCode, string> = {
  INVALID_REQUEST: 'the request does not match the schema of the task; `issues` lists the fields',
  INVALID_FORMAT_ID: 'a format id in the request is not an object `{agent_url, id}`',
  VALIDATION_ERROR: 'the request matches the schema but breaks a rule; `issues` lists the fields',
  VERSION_UNSUPPORTED: 'the requested release is not supported; `details` lists the supported ones',
  FORMAT_NOT_SUPPORTED: 'this agent has no format with the format id',
  UNSUPPORTED_FEATURE: 'the request needs a feature that this agent does not offer',
  UNSUPPORTED_GRANULARITY:
    'a product in the media buys does not support the granularity; `details` lists those that all of them support',
  CREATIVE_INACCESSIBLE: 'an asset cannot be fetched from its URL',
  AUTH_MISSING: 'the task requires a key, and none was sent',
  AUTH_INVALID: 'the key is unknown or revoked (also on tasks that require none)',
  PERMISSION_DENIED: 'the key does not have the required scope',
  DEPLOYMENT_UNAUTHORIZED: 'the caller may not use this platform or account',
  AGENT_ACCESS_DENIED: 'the caller may not use this signal agent',
  AGENT_NOT_FOUND: 'no signal agent with this URL is visible to the caller',
  AGENT_UNREACHABLE: 'another agent could not be reached, or its response could not be read',
  AGENT_CALL_FAILED:
    'another agent returned an error; `details.agent_error` has its code, and `recovery` is the one it returned',
  SIGNAL_AGENT_SEGMENT_NOT_FOUND: 'no segment with this id',
  REFERENCE_NOT_FOUND: 'an object in the request does not exist or is not visible to the caller',
  TASK_NOT_FOUND: 'no task with this id belongs to the caller',
  MEDIA_BUY_NOT_FOUND: 'no media buy with this id',
  CREATIVE_NOT_FOUND: 'no creative with this id',
  PRODUCT_NOT_FOUND: 'no product with this id is available to the caller',
  PACKAGE_NOT_FOUND: 'the media buy has no package with this id',
  ACCOUNT_NOT_FOUND: 'no account with this id belongs to the caller',
  BUDGET_TOO_LOW: 'the budget of a package is below the minimum of its pricing option',
  PROPOSAL_NOT_FOUND: 'no proposal with this id belongs to the caller',
  PROPOSAL_EXPIRED: 'the proposal has expired',
  PROPOSAL_NOT_COMMITTED: 'the proposal is a draft and must be finalised before it can be bought',
  INVALID_PRICING_OPTION: 'a usage record names a price that the product or signal does not have',
  INVALID_USAGE_DATA: 'a usage record has no billable quantity, or contradicts itself',
  APPROVAL_REQUIRED:
    'the task waits for the seller’s decision; returned while it is `input-required`',
  TERMS_REJECTED: 'the seller rejected the request; returned for a `rejected` task',
  ALREADY_ACTIVATED: 'warning: the signal is already active on the target',
  PARTIAL_COVERAGE: 'warning: no returned signal is available on some of the targets',
  ACTIVATION_FAILED: 'the platform could not activate the signal',
  IDEMPOTENCY_CONFLICT: 'the idempotency key was used for another request',
  IDEMPOTENCY_IN_FLIGHT: 'the first call with this idempotency key is still running',
  INVALID_STATE: 'the object is in a state that does not allow the change',
  NOT_CANCELLABLE: 'the object can no longer be cancelled',
  CONFLICT: 'the object changed after the caller read it: `revision` is outdated',
  QUOTA_EXCEEDED: 'the caller reached a quota; `details` has its name, the usage and the limit',
  TASK_ABANDONED: 'the request crashed the server repeatedly, so it was abandoned',
  RATE_LIMITED: 'the caller exceeded its rate limit; wait `retry_after` seconds',
  SERVICE_UNAVAILABLE: 'the server or its database failed, or the call timed out',
}

const WHAT_TO_DO: Record<Recovery, string> = {
  transient: 'wait `retry_after` seconds, if present, and retry the same call',
  correctable: 'change the request as `message` and `suggestion` describe, and retry',
  terminal: 'do not retry: something outside the call has to change first',
}

export function errorCodesPage(): string {
  const codes = Object.entries(ERROR_CODES) as [ErrorCode, Recovery][]
  const rows = codes.map(
    ([code, recovery]) => `| \`${code}\` | ${STATUS[code]} | ${recovery} | ${WHEN[code]} |`,
  )
  const recoveries = Object.entries(WHAT_TO_DO).map(([name, what]) => `| ${name} | ${what} |`)
  return `# Codes of failed tasks

\`errors[].code\` of an answer is one of these, over every transport; the status is the one that \`POST /v3/{task}\`
answers with. The list is closed and the same for all tasks, those included that this server does not
serve yet. [tasks.md](tasks.md) has the shape of an answer. This page is generated: \`npm run docs\`.

| code | status | recovery | when |
|---|---|---|---|
${rows.join('\n')}

| recovery | what to do |
|---|---|
${recoveries.join('\n')}
`
}
