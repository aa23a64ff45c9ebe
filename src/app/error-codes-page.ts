// docs/task-errors.md, from the list of codes (spec 7) and HTTP's table of them. A code without a row
// does not compile.

import { ERROR_CODES, type ErrorCode, type Recovery } from '../protocol/errors.ts'
import { STATUS } from '../transports/http/task-errors.ts'

const WHEN: Record<ErrorCode, string> = {
  INVALID_REQUEST: 'the request is not an object of the shape that the task wants; see `issues`',
  INVALID_FORMAT_ID: 'what is wrong with the request is a format id',
  VALIDATION_ERROR: 'the shape is right, and the content breaks a rule; see `issues`',
  VERSION_UNSUPPORTED: 'the requested release is not served; `details` lists the served ones',
  FORMAT_NOT_SUPPORTED: 'the format id names no format of this agent',
  UNSUPPORTED_FEATURE: 'the request needs a feature that this agent does not offer',
  UNSUPPORTED_GRANULARITY:
    'a product of the buys offers no such windows; `details` names those that all offer',
  CREATIVE_INACCESSIBLE: 'an asset cannot be fetched from its URL',
  AUTH_MISSING: 'the task needs a key, and none was sent',
  AUTH_INVALID: 'the key is unknown or revoked, also where none was needed',
  PERMISSION_DENIED: 'the key does not have the scope that the task needs',
  DEPLOYMENT_UNAUTHORIZED: 'the caller may not use this platform or account',
  AGENT_ACCESS_DENIED: 'the caller may not use this signal agent',
  AGENT_NOT_FOUND: 'there is no such signal agent, or none that the caller may know of',
  AGENT_UNREACHABLE: 'another agent, which was to be called, gave no answer that could be read',
  AGENT_CALL_FAILED:
    'another agent refused the call, or failed; `details.agent_error` has its code, and `recovery` is as it says',
  SIGNAL_AGENT_SEGMENT_NOT_FOUND: 'there is no such segment',
  REFERENCE_NOT_FOUND: 'something that the request names is not there, or not for this caller',
  TASK_NOT_FOUND: 'there is no such task, or it belongs to somebody else',
  MEDIA_BUY_NOT_FOUND: 'there is no such media buy',
  CREATIVE_NOT_FOUND: 'there is no such creative',
  PRODUCT_NOT_FOUND: 'there is no such product, or none that the caller may buy',
  PACKAGE_NOT_FOUND: 'the media buy has no such package',
  ACCOUNT_NOT_FOUND: 'there is no such account, or it belongs to somebody else',
  BUDGET_TOO_LOW: 'the budget of a package is below the least of its pricing option',
  PROPOSAL_NOT_FOUND: 'there is no such proposal, or it belongs to another caller',
  PROPOSAL_EXPIRED: 'the proposal can no longer be bought',
  INVALID_PRICING_OPTION: 'a record of usage names a price that what was used does not have',
  INVALID_USAGE_DATA: 'a record of usage says nothing that could be billed, or contradicts itself',
  PROPOSAL_NOT_COMMITTED: 'the proposal is a draft, and must be finalised before it is bought',
  APPROVAL_REQUIRED:
    'the task waits for the seller’s decision; returned while it is `input-required`',
  TERMS_REJECTED: 'the seller rejected it; returned for a `rejected` task',
  ALREADY_ACTIVATED: 'the signal is live on the target already: a warning',
  PARTIAL_COVERAGE: 'some of the targets have none of the signals of the answer: a warning',
  ACTIVATION_FAILED: 'the platform could not activate the signal',
  IDEMPOTENCY_CONFLICT: 'the idempotency key was used for another request',
  IDEMPOTENCY_IN_FLIGHT: 'the first call with this idempotency key is still running',
  INVALID_STATE: 'what the request wants to change is in a state that forbids it',
  NOT_CANCELLABLE: 'what the request wants to cancel cannot be cancelled any more',
  CONFLICT: 'it was changed since the caller read it: the `revision` sent is outdated',
  QUOTA_EXCEEDED:
    'the caller has as much as it may have of something; `details` says of what, how much, and the limit',
  TASK_ABANDONED: 'the server died repeatedly while it worked on the request, and gave it up',
  RATE_LIMITED: 'the caller made too many calls; `retry_after` says how long to wait',
  SERVICE_UNAVAILABLE: 'the server or its database failed, or the call took too long',
}

const WHAT_TO_DO: Record<Recovery, string> = {
  transient: 'wait `retry_after` seconds, if present, and retry the same call',
  correctable: 'change the request as the message says',
  terminal: 'do not repeat: somebody has to change something outside of the call',
}

export function errorCodesPage(): string {
  const codes = Object.entries(ERROR_CODES) as [ErrorCode, Recovery][]
  const rows = codes.map(
    ([code, recovery]) => `| \`${code}\` | ${STATUS[code]} | ${recovery} | ${WHEN[code]} |`,
  )
  const recoveries = Object.entries(WHAT_TO_DO).map(([name, what]) => `| ${name} | ${what} |`)
  return `# Codes of failed tasks

\`errors[].code\` of an answer is one of these, on every wire; the status is the one that \`POST /v3/{task}\`
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
