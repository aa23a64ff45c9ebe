// `adwire`: the server embedded in your own program, with your own tasks, connectors, signers, generators, search,
// log and routes. Importing it has no side effects; `createApp` opens the database, and `start` listens.

export type { FastifyInstance } from 'fastify'
export { z } from 'zod'
export type { Scope } from './agent/principals.ts'
export type { Config } from './app/config.ts'
export {
  type App,
  type AppOptions,
  type CreatedCaller,
  createApp,
  type Health,
  type PrincipalOptions,
} from './app/create-app.ts'
export type { Extensions, LongTaskMaker, MoreTasks, Started } from './app/extensions.ts'
export { ConfigError, type ConfigOptions, makeConfig } from './app/make-config.ts'
export type {
  GeneratedReading,
  GeneratedTexts,
  Generator,
  ImageRequest,
  ReadingRequest,
  ReadSegment,
  TextOptions,
} from './creative/model/generator.ts'
export type { HeldKey, PublicKeyMembers } from './keys/held-keys.ts'
export { createLog, type Log, type LogOptions } from './lib/log.ts'
export type { Transaction } from './lib/transaction.ts'
export type { ResolveTxt } from './lib/txt-records.ts'
export type {
  DeliveryQuery,
  DeliverySource,
  DeliveryWindow,
  PackageMetrics,
  QualifiedCount,
  WindowDelivery,
} from './media-buys/delivery-source.ts'
export type { MediaBuyRecord, PackageRecord } from './media-buys/media-buy.ts'
export {
  checkDeliverySource,
  type SourceCheck,
  type SourceCheckOptions,
  type TriedBuy,
  type TriedPackage,
} from './media-buys/sources/check-source.ts'
export { type ErrorCode, type Issue, ProtocolError, type TaskError } from './protocol/errors.ts'
export type { Version } from './protocol/releases/release-table.ts'
export type { ActivationKey, DeploymentTarget } from './protocol/schemas/deployment.ts'
export type { TaskStatus } from './protocol/schemas/task-status.ts'
export type { TaskProgress } from './protocol/schemas/webhook-envelope.ts'
export {
  type Accepted,
  type AnyTask,
  type CallContext,
  type Caller,
  type Deferred,
  defineTask,
  type Prepared,
  type Task,
  type TaskArea,
  type TaskCost,
  type Transport,
} from './protocol/task.ts'
export { constantCost } from './protocol/task-cost.ts'
export type { CatalogueSignal } from './signals/catalogue.ts'
export type {
  ActivationDetails,
  ActivationRun,
  Connector,
  ConnectorAnswer,
  ConnectorFailure,
  Deactivated,
} from './signals/connectors/connector.ts'
export type { FilterName } from './signals/matching/filter-names.ts'
export type {
  Omitted,
  SearchAnswer,
  SearchHit,
  SearchQuery,
  TargetFilter,
} from './signals/matching/query.ts'
export type {
  ModelStatus,
  SearchCaller,
  SearchStatus,
  SignalSearch,
} from './signals/search/signal-search.ts'
export type { Jwk, Signer } from './signing/ports.ts'
export type { SigningAlgorithm } from './signing/profile.ts'
export type { LongTask } from './tasks/long-task.ts'
export type { InputRequired, TaskInput, TaskKey, TaskRecord, TaskSummary } from './tasks/store.ts'
export type { AnsweredWork, EndedWork, StepOutcome, StepRun, Work } from './tasks/work.ts'
export type { OwnRoutes } from './transports/http/own-routes.ts'
