// `adwire/sender`: webhooks from a seller's own server. Register a channel and emit events in the transaction of the
// change they report; the sender signs, delivers and retries (spec 6).

export { createEgress, type Egress, type EgressOptions } from '../lib/safe-fetch/safe-fetch.ts'
export { createSecretBox, type SecretBox } from '../lib/secret-box.ts'
export type { OnWake, Transact, Transaction } from '../lib/transaction.ts'
export { WEBHOOK_FAMILIES, type WebhookFamily } from '../protocol/webhook-family.ts'
export { localSigner } from '../signing/local-signer.ts'
export type { Signer } from '../signing/ports.ts'
export { type JoinOptions, joinPostgres } from '../storage/postgres/join-postgres.ts'
export { type ChannelEvent, subjectOfTask, type TaskEvent } from '../webhooks/sender/emit.ts'
export {
  type Notification,
  type Notified,
  type Notify,
  subjectOfFamily,
} from '../webhooks/sender/notify.ts'
export type {
  ChannelCheck,
  LegacyChoice,
  WantedChannel,
} from '../webhooks/sender/register-channel.ts'
export { createSender, type Sender, type SenderOptions } from '../webhooks/sender/sender.ts'
export type {
  Channel,
  ChannelStore,
  DeliveryFilter,
  DeliverySummary,
  NewChannel,
  OutboxOperations,
  OutboxStats,
  OutboxStore,
} from '../webhooks/sender/store.ts'
export type { AttemptReport } from '../webhooks/sender/worker.ts'
export {
  openSenderStorage,
  type SenderStorage,
  type SenderStorageOptions,
} from './open-sender-storage.ts'
