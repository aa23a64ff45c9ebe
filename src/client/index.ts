// `adwire/client`: calls tasks of other agents over MCP, A2A or HTTP, waits for long-running ones by webhook and by
// polling, and combines all reports about a task into one outcome (spec 3.2, 4.2, 6.4).

export type { Recovery } from '../protocol/errors.ts'
export type { RequestEnvelope, ResponseEnvelope } from '../protocol/schemas/envelope.ts'
export type { PushNotificationConfig } from '../protocol/schemas/push-notification-config.ts'
export type { Transport } from '../protocol/task.ts'
export type {
  CallFailure,
  ClientFetch,
  ClientRequest,
  ClientResponse,
  FailureKind,
  ListedTask,
  RequestSigner,
  TaskList,
} from '../transports/client.ts'
export { callAgent, resumeCall } from './call-agent.ts'
export type {
  RequestOf,
  ResponseOf,
  TaskName,
  TaskRequest,
  TaskResponse,
} from './known-tasks.ts'
export {
  type AgentHandle,
  type FoundAgent,
  openAgent,
  type TaskMethods,
} from './open-agent.ts'
export type {
  AgentOptions,
  CallAgentOptions,
  CallOptions,
  CallProgress,
  CallReceiver,
  InputRequired,
  ReceivedWebhook,
  ResumeOptions,
} from './options.ts'
export type {
  AcceptedCall,
  AgentError,
  AgentErrorKind,
  CallIdentity,
  CallOutcome,
  CompletedCall,
  FailedCall,
  OutcomeConflict,
  UpdateSource,
  WholeAnswer,
} from './outcome.ts'
export {
  type ChosenRules,
  createRequestSigner,
  type RequestRules,
  type RequestSignerOptions,
  requestRulesOf,
} from './sign-request.ts'
