// What is stored about creatives (spec 4.5): each belongs to a principal, and no other can find it. Times are in
// milliseconds, from the database's clock.

import type { Transaction } from '../lib/transaction.ts'
import type { Assets } from '../protocol/schemas/assets.ts'
import type { CreativeStatus } from '../protocol/schemas/creative-library.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'

/** The content of a creative in a sync; two creatives with equal content are the same. */
interface CreativeContent {
  name: string
  /** As its owner wrote it. */
  format_id: FormatId
  /** Each with its type. */
  assets: Assets
  status: CreativeStatus
  tags: readonly string[]
  concept_id?: string | undefined
  concept_name?: string | undefined
  /** Everything else that was synced, by transport name: inputs, weight, brand, rights, ext … */
  others: Readonly<Record<string, unknown>>
}

export interface SavedCreative extends CreativeContent {
  creative_id: string
  /** The catalogue's name for the format with its parameters: equal for equal formats. */
  formatKey: string
  /** Size of its content as JSON. */
  bytes: number
}

/** What an owner has in its library. */
export interface LibraryUse {
  creatives: number
  bytes: number
}

export interface StoredCreative extends SavedCreative {
  assignment_count: number
  created_at: number
  updated_at: number
}

/** The data about a creative that is needed to assign it. */
export type CreativeState = Pick<StoredCreative, 'status' | 'assignment_count'>

/** The amounts that determine how much work creatives cause. */
interface LibrarySize {
  /** The owner's creatives, including archived ones. */
  creatives: number
  /** Size of all of them. */
  bytes: number
}

export interface Assignment {
  creative_id: string
  package_id: string
  weight?: number | undefined
  placement_ids?: readonly string[] | undefined
}

export interface StoredAssignment extends Assignment {
  assigned_at: number
}

export type CreativeSortField =
  | 'created_date'
  | 'updated_date'
  | 'name'
  | 'status'
  | 'assignment_count'

/** Filters combine; a missing one matches everything, an empty list nothing. */
export interface CreativeFilter {
  creative_ids?: readonly string[]
  statuses?: readonly CreativeStatus[]
  formatKeys?: readonly string[]
  /** In any case. */
  nameContains?: string
  tagsAll?: readonly string[]
  tagsAny?: readonly string[]
  concept_ids?: readonly string[]
  isAssigned?: boolean
  createdAfter?: number
  createdBefore?: number
  updatedAfter?: number
  updatedBefore?: number
}

export interface CreativeQuery {
  filter: CreativeFilter
  sort: { field: CreativeSortField; direction: 'asc' | 'desc' }
  limit: number
  /** A page with more than this ends early, but has at least one creative. Default: any amount. */
  most?: { bytes: number; assignments: number }
  /** The last creative of the previous page: its sort value and its id. */
  after?: { value: string | number; creative_id: string }
}

export interface CreativePage {
  creatives: StoredCreative[]
  hasMore: boolean
  /** Over all pages. */
  total: number
  byStatus: Record<string, number>
  /** By `formatKey`. */
  byFormat: Record<string, number>
}

export interface CreativeStore {
  /**
   * The current use of an owner that is about to add this amount: near the limits, no one else can add to the library
   * until the transaction ends. Call it before anything else of the library is locked.
   */
  useOf(
    tx: Transaction,
    owner: string,
    about: { limits: LibraryUse; toAdd: LibraryUse },
  ): Promise<LibraryUse>
  /**
   * The state of the given creatives that exist, without their content. They are locked against changes by others
   * until the transaction ends.
   */
  lockStates(
    tx: Transaction,
    owner: string,
    creativeIds: readonly string[],
  ): Promise<Map<string, CreativeState>>
  /** The given creatives that exist, locked against changes by others until the transaction ends. */
  lock(
    tx: Transaction,
    owner: string,
    creativeIds: readonly string[],
  ): Promise<Map<string, StoredCreative>>
  /** Adds or replaces, and counts what the owner has. */
  save(tx: Transaction, owner: string, creatives: readonly SavedCreative[]): Promise<void>
  /** The ids of all unarchived creatives, or of those in `within`, except those in `except`. */
  activeIds(
    tx: Transaction,
    owner: string,
    ids: { except: readonly string[]; within?: readonly string[] | undefined },
  ): Promise<string[]>
  archive(tx: Transaction, owner: string, creativeIds: readonly string[]): Promise<void>
  /** Forgets creatives with their assignments, and counts what the owner has left. */
  remove(tx: Transaction, owner: string, creativeIds: readonly string[]): Promise<void>
  /** The packages that each of these is assigned to. */
  packagesOf(
    tx: Transaction,
    owner: string,
    creativeIds: readonly string[],
  ): Promise<Map<string, Set<string>>>
  /** The subset of these assignments that already exist. */
  assigned(
    tx: Transaction,
    owner: string,
    assignments: readonly Assignment[],
  ): Promise<Pick<Assignment, 'creative_id' | 'package_id'>[]>
  /** Adds or replaces assignments of existing creatives. */
  assign(tx: Transaction, owner: string, assignments: readonly Assignment[]): Promise<void>
  /** A few cheap counts, as committed. */
  size(owner: string): Promise<LibrarySize>
  /** Total size in bytes of the named creatives that exist. */
  bytesOf(owner: string, creativeIds: readonly string[]): Promise<number>
  /** Assignments of all creatives of the owner, counted up to `most`. */
  countAssignments(owner: string, most: number): Promise<number>
  list(owner: string, query: CreativeQuery): Promise<CreativePage>
  /** The creatives in packages of these media buys, archived ones included, and which of the buys the owner has. */
  inBuys(
    owner: string,
    mediaBuyIds: readonly string[],
  ): Promise<{ media_buy_ids: string[]; creative_ids: string[] }>
  /** Assignments to packages of these media buys of the owner, counted up to `most`. */
  countInBuys(owner: string, mediaBuyIds: readonly string[], most: number): Promise<number>
  /** The assignments of each of these creatives, ordered by package. */
  assignmentsOf(
    owner: string,
    creatives: readonly Pick<StoredCreative, 'creative_id' | 'assignment_count'>[],
  ): Promise<Map<string, StoredAssignment[]>>
}
