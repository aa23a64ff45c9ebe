// `adwire/receiver`: receives webhooks in a buyer's own server. Mount it in a framework; every message it
// acknowledges has been verified and stored, and is handed to the application once, in order (spec 4.4, 6.4).

export type { TrustedSeller } from '../key-discovery/trusted-seller.ts'
export { createEgress, type Egress, type EgressOptions } from '../lib/safe-fetch/safe-fetch.ts'
export {
  type OnWake,
  StorageUnavailable,
  type Transact,
  type Transaction,
} from '../lib/transaction.ts'
export type { Jwk, ReplayStore } from '../signing/ports.ts'
export { sqlOf } from '../storage/sql/callers-sql.ts'
export type { Queryable, SqlTransaction } from '../storage/sql/database.ts'
export { type ExpressRequest, expressHandler } from '../webhooks/receiver/adapters/express.ts'
export {
  type FastifyAdapterOptions,
  type FastifyLike,
  type FastifyReplyLike,
  type FastifyRequestLike,
  fastifyReceiver,
} from '../webhooks/receiver/adapters/fastify.ts'
export { type HonoContext, honoHandler } from '../webhooks/receiver/adapters/hono.ts'
export {
  type AdapterOptions,
  nodeHandler,
  type Receiving,
} from '../webhooks/receiver/adapters/node.ts'
export type { ApplyContext, ApplyReport, Handlers } from '../webhooks/receiver/apply.ts'
export type { WebhookConflict } from '../webhooks/receiver/conflicts.ts'
export type { Delivery, Receive, Reply } from '../webhooks/receiver/delivery.ts'
export { type Extracted, extractPayload } from '../webhooks/receiver/extract.ts'
export type {
  ArtifactPush,
  CollectionListChanged,
  OtherNotification,
  PropertyListChanged,
  RevocationNotification,
} from '../webhooks/receiver/families.ts'
export type { WebhookMessage } from '../webhooks/receiver/message.ts'
export type { DuplicatePolicy } from '../webhooks/receiver/outcomes.ts'
export {
  type Followed,
  type FollowOptions,
  followTask,
  type PolledTask,
} from '../webhooks/receiver/poll-backup.ts'
export type { ReceiveEvent } from '../webhooks/receiver/receive.ts'
export {
  createReceiver,
  type Receiver,
  type ReceiverOptions,
} from '../webhooks/receiver/receiver.ts'
export type {
  BearerRoute,
  HmacRoute,
  Route,
  RouteOf,
  SignedRoute,
} from '../webhooks/receiver/routes.ts'
export type {
  InboxOperations,
  InboxStats,
  InboxStore,
  KeptMessage,
  MessageFamily,
  MessageFilter,
  MessageState,
  MessageSummary,
  ReceivedMessage,
} from '../webhooks/receiver/store.ts'
export type { WaitFor, WaitOptions } from '../webhooks/receiver/wait-for.ts'
export {
  openReceiverStorage,
  type ReceiverStorage,
  type ReceiverStorageOptions,
} from './open-receiver-storage.ts'
