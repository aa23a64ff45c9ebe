// The tasks of the protocol from a caller's view: the types of request and answer, and whether a task changes
// something. Types, validation and idempotency keys are derived from this table (spec 4.2).

import type { z } from 'zod'
import {
  listAccountsRequest,
  listAccountsResponse,
  syncAccountsRequest,
  syncAccountsResponse,
} from '../protocol/schemas/accounts.ts'
import {
  activateSignalRequest,
  activateSignalResponse,
} from '../protocol/schemas/activate-signal.ts'
import { buildCreativeRequest, buildCreativeResponse } from '../protocol/schemas/build-creative.ts'
import { acceptProposalRequest } from '../protocol/schemas/compact/accept-proposal.ts'
import { buyProductsRequest } from '../protocol/schemas/compact/buy-products.ts'
import { commitmentResponse } from '../protocol/schemas/compact/commitment.ts'
import {
  controlMediaBuyRequest,
  controlMediaBuyResponse,
} from '../protocol/schemas/compact/control-media-buy.ts'
import {
  listProductsRequest,
  listProductsResponse,
} from '../protocol/schemas/compact/list-products.ts'
import {
  declineProposalsRequest,
  declineProposalsResponse,
  refineProposalsRequest,
  refineProposalsResponse,
  requestProposalsRequest,
  requestProposalsResponse,
} from '../protocol/schemas/compact/proposals.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import {
  getAgentCapabilitiesRequest,
  getAgentCapabilitiesResponse,
} from '../protocol/schemas/get-agent-capabilities.ts'
import {
  getCreativeDeliveryRequest,
  getCreativeDeliveryResponse,
} from '../protocol/schemas/get-creative-delivery.ts'
import { getProductsRequest, getProductsResponse } from '../protocol/schemas/get-products.ts'
import {
  getReportingStatusRequest,
  getReportingStatusResponse,
} from '../protocol/schemas/get-reporting-status.ts'
import { getSignalsRequest, getSignalsResponse } from '../protocol/schemas/get-signals.ts'
import {
  listCreativeFormatsRequest,
  listCreativeFormatsResponse,
} from '../protocol/schemas/list-creative-formats.ts'
import { listCreativesRequest, listCreativesResponse } from '../protocol/schemas/list-creatives.ts'
import {
  createMediaBuyRequest,
  createMediaBuyResponse,
  getMediaBuyDeliveryRequest,
  getMediaBuyDeliveryResponse,
  getMediaBuysRequest,
  getMediaBuysResponse,
  updateMediaBuyRequest,
  updateMediaBuyResponse,
} from '../protocol/schemas/media-buys.ts'
import {
  providePerformanceFeedbackRequest,
  providePerformanceFeedbackResponse,
} from '../protocol/schemas/performance-feedback.ts'
import {
  previewCreativeRequest,
  previewCreativeResponse,
} from '../protocol/schemas/preview-creative.ts'
import { reportUsageRequest, reportUsageResponse } from '../protocol/schemas/report-usage.ts'
import { syncCreativesRequest, syncCreativesResponse } from '../protocol/schemas/sync-creatives.ts'
import {
  cancelTaskRequest,
  cancelTaskResponse,
  getTaskStatusRequest,
  getTaskStatusResponse,
  listTasksRequest,
  listTasksResponse,
  provideTaskInputRequest,
  provideTaskInputResponse,
} from '../protocol/schemas/tasks.ts'
import { validateInputRequest, validateInputResponse } from '../protocol/schemas/validate-input.ts'

const read = <Q extends z.ZodType, S extends z.ZodType>(request: Q, response: S) => ({
  request,
  response,
  changes: false,
  isAboutTask: false,
})
const change = <Q extends z.ZodType, S extends z.ZodType>(request: Q, response: S) => ({
  request,
  response,
  changes: true,
  isAboutTask: false,
})

/** `isAboutTask`: `status` in its answer belongs to another task, the one the request was about. */
export const KNOWN_TASKS = {
  get_agent_capabilities: read(getAgentCapabilitiesRequest, getAgentCapabilitiesResponse),
  get_signals: read(getSignalsRequest, getSignalsResponse),
  activate_signal: change(activateSignalRequest, activateSignalResponse),
  list_creative_formats: read(listCreativeFormatsRequest, listCreativeFormatsResponse),
  build_creative: change(buildCreativeRequest, buildCreativeResponse),
  preview_creative: read(previewCreativeRequest, previewCreativeResponse),
  validate_input: read(validateInputRequest, validateInputResponse),
  sync_creatives: change(syncCreativesRequest, syncCreativesResponse),
  list_creatives: read(listCreativesRequest, listCreativesResponse),
  get_products: read(getProductsRequest, getProductsResponse),
  list_products: read(listProductsRequest, listProductsResponse),
  request_proposals: change(requestProposalsRequest, requestProposalsResponse),
  refine_proposals: change(refineProposalsRequest, refineProposalsResponse),
  decline_proposals: change(declineProposalsRequest, declineProposalsResponse),
  buy_products: change(buyProductsRequest, commitmentResponse),
  accept_proposal: change(acceptProposalRequest, commitmentResponse),
  control_media_buy: change(controlMediaBuyRequest, controlMediaBuyResponse),
  create_media_buy: change(createMediaBuyRequest, createMediaBuyResponse),
  update_media_buy: change(updateMediaBuyRequest, updateMediaBuyResponse),
  get_media_buys: read(getMediaBuysRequest, getMediaBuysResponse),
  get_media_buy_delivery: read(getMediaBuyDeliveryRequest, getMediaBuyDeliveryResponse),
  get_creative_delivery: read(getCreativeDeliveryRequest, getCreativeDeliveryResponse),
  get_reporting_status: read(getReportingStatusRequest, getReportingStatusResponse),
  provide_performance_feedback: change(
    providePerformanceFeedbackRequest,
    providePerformanceFeedbackResponse,
  ),
  report_usage: change(reportUsageRequest, reportUsageResponse),
  list_accounts: read(listAccountsRequest, listAccountsResponse),
  sync_accounts: change(syncAccountsRequest, syncAccountsResponse),
  list_tasks: read(listTasksRequest, listTasksResponse),
  get_task_status: { ...read(getTaskStatusRequest, getTaskStatusResponse), isAboutTask: true },
  cancel_task: { ...change(cancelTaskRequest, cancelTaskResponse), isAboutTask: true },
  provide_task_input: {
    ...change(provideTaskInputRequest, provideTaskInputResponse),
    isAboutTask: true,
  },
} as const

/** A task that the protocol has. */
export type TaskName = keyof typeof KNOWN_TASKS

/** The request of a task. */
export type TaskRequest<T extends TaskName> = z.input<(typeof KNOWN_TASKS)[T]['request']> &
  RequestEnvelope

/** What a task answers. */
export type TaskResponse<T extends TaskName> = z.output<(typeof KNOWN_TASKS)[T]['response']>

/** The request of a task by its name; anything for a task that is not part of the protocol. */
export type RequestOf<T extends string> = T extends TaskName
  ? TaskRequest<T>
  : Record<string, unknown>

/** What a task answers, by its name. */
export type ResponseOf<T extends string> = T extends TaskName
  ? TaskResponse<T>
  : Record<string, unknown>

export interface KnownTask {
  request: z.ZodType
  response: z.ZodType
  changes: boolean
  isAboutTask: boolean
}

const BY_NAME: ReadonlyMap<string, KnownTask> = new Map(Object.entries(KNOWN_TASKS))

export function knownTask(name: string): KnownTask | undefined {
  return BY_NAME.get(name)
}
