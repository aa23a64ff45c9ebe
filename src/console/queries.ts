// Queries for the console in addition to the ports of the areas: figures for the overview, endpoints, tasks of all
// principals. Read-only and bounded: however large the tables are, no query reads more rows than it declares.

import type { StoredCreative } from '../creative/library-store.ts'
import type { CreativeStatus } from '../protocol/schemas/creative-library.ts'
import type { TaskRecord, TaskSummary } from '../tasks/store.ts'
import type { AttemptRecord, Channel, OwnedEndpoint } from '../webhooks/sender/store.ts'
import type { Fingerprints } from './changes.ts'

export interface Outcomes {
  delivered: number
  exhausted: number
  cancelled: number
}

export interface EndpointCircuit {
  failures: number
  opened_at: number | undefined
  probe_at: number | undefined
  paused_at: number | undefined
}

export interface EndpointChannel {
  channel_id: string
  subject: string
  form: string
  scheme: string
  operation_id: string | undefined
  created_at: number
  paused_at: number | undefined
}

export interface EndpointFacts {
  circuit: EndpointCircuit | undefined
  /** Attempts of its last 50 deliveries, at most 200, the newest first. */
  attempts: Pick<
    AttemptRecord,
    | 'status'
    | 'http_status_code'
    | 'response_time_ms'
    | 'error_message'
    | 'fault'
    | 'fired_at'
    | 'completed_at'
  >[]
  /** Up to 10 000 of each. */
  pending: number
  held: number
  /** The last successful delivery among its last 2000; fewer if many endpoints are requested at once. */
  last_delivered_at: number | undefined
  /** Whether it has registrations and its receiver reported all of them as gone. */
  isGone: boolean
}

export interface EndpointFilter {
  owner?: string | undefined
  /** A part of the URL. */
  contains?: string | undefined
  state?: 'open' | 'paused' | 'troubled' | undefined
  after?: OwnedEndpoint | undefined
  limit: number
}

export interface TaskListFilter {
  statuses?: readonly TaskSummary['status'][] | undefined
  task_type?: string | undefined
  task_id?: string | undefined
  owner?: string | undefined
  since?: number | undefined
  until?: number | undefined
  after?: { created_at: number; task_id: string } | undefined
  limit: number
}

export type ListedTask = TaskSummary & Pick<TaskRecord, 'message' | 'progress'>

/** What a list shows of a creative. */
export interface ListedCreative
  extends Pick<
    StoredCreative,
    | 'creative_id'
    | 'name'
    | 'formatKey'
    | 'status'
    | 'assignment_count'
    | 'created_at'
    | 'updated_at'
  > {
  owner: string
}

export interface CreativeListFilter {
  owner?: string | undefined
  status?: CreativeStatus | undefined
  formatKey?: string | undefined
  /** An exact id, or a part of a name in any case. */
  sought?: string | undefined
  after?: CreativePlace | undefined
  limit: number
}

export interface CreativePlace {
  created_at: number
  owner: string
  creative_id: string
}

export interface ConsoleQueries {
  /** What ended at or after `from` and before `to`. */
  outcomes(from: number, to: number): Promise<Outcomes>
  /** From the event to its acknowledgement, for the latest deliveries since then, at most `most`. */
  delays(since: number, most: number): Promise<number[]>
  /** Of the oldest 10 000 pending deliveries, those that were attempted before. */
  retrying(): Promise<number>
  /** The number of paused endpoints, and since when the oldest open circuit has been open. */
  circuits(): Promise<{ paused: number; openSince: number | undefined }>
  /**
   * The destinations of registrations, by owner and URL. `next`: where to continue; a page may be shorter than its
   * limit.
   */
  endpoints(
    filter: EndpointFilter,
  ): Promise<{ rows: OwnedEndpoint[]; next: OwnedEndpoint | undefined }>
  /** Of each, in the order given. */
  endpointFacts(of: readonly OwnedEndpoint[]): Promise<EndpointFacts[]>
  /** The newest registration for this endpoint that is still served. */
  liveChannel(of: OwnedEndpoint, now: number): Promise<Channel | undefined>
  /** The newest first. */
  endpointChannels(of: OwnedEndpoint, limit: number): Promise<EndpointChannel[]>
  /** Tasks that were reported to their callers, newest first. */
  tasks(filter: TaskListFilter): Promise<{ rows: ListedTask[]; hasMore: boolean }>
  taskOwner(taskId: string): Promise<string | undefined>
  /** By status, each up to `most`; ended tasks are counted only if they started since then. */
  taskCounts(since: number, most: number): Promise<Map<TaskSummary['status'], number>>
  /** What waits for approval, up to `most`. */
  waitingApprovals(most: number): Promise<number>
  /** Creatives of all libraries, newest first. `next`: where to continue; a page may be shorter than its limit. */
  creatives(
    filter: CreativeListFilter,
  ): Promise<{ rows: ListedCreative[]; next: CreativePlace | undefined }>
  fingerprints(): Promise<Fingerprints>
}
