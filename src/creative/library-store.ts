// What is stored about creatives (spec 4.5): each belongs to a principal, and no other can find it. Times are by the
// database's clock, in milliseconds.

import type { Transaction } from '../lib/transaction.ts'
import type { Assets } from '../protocol/schemas/assets.ts'
import type { CreativeStatus } from '../protocol/schemas/creative-library.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'

/** What a sync says of a creative; two that are equal in this are the same creative. */
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
  /** Everything else that was synced, over its transport name: inputs, weight, brand, rights, ext … */
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

/** What assigning a creative needs to know of it. */
export type CreativeState = Pick<StoredCreative, 'status' | 'assignment_count'>

/** What the work on creatives grows with. */
interface LibrarySize {
  /** Creatives of the owner, archived ones included. */
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

/** Filters combine; one that is absent lets everything pass, an empty list nothing. */
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
  /** A page with more than this ends early, after one creative at least. Default: any amount. */
  most?: { bytes: number; assignments: number }
  /** The last creative of the page before: its value in this order, and its id. */
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
   * The current use of an owner that is about to add this amount: near the limits, nobody else can add to the library
   * until the transaction ends. Call it before anything else of the library is locked.
   */
  useOf(
    tx: Transaction,
    owner: string,
    about: { limits: LibraryUse; toAdd: LibraryUse },
  ): Promise<LibraryUse>
  /**
   * The state of those of these that there are, without their content. They are kept from being changed by others until
   * the transaction ends.
   */
  lockStates(
    tx: Transaction,
    owner: string,
    creativeIds: readonly string[],
  ): Promise<Map<string, CreativeState>>
  /** Those of these that there are, kept from being changed by others until the transaction ends. */
  lock(
    tx: Transaction,
    owner: string,
    creativeIds: readonly string[],
  ): Promise<Map<string, StoredCreative>>
  /** Adds or replaces, and counts what the owner has. */
  save(tx: Transaction, owner: string, creatives: readonly SavedCreative[]): Promise<void>
  /** The ids of what is not archived, or of that what is `within`, but for those in `except`. */
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
  /** Of these assignments those that there are already. */
  assigned(
    tx: Transaction,
    owner: string,
    assignments: readonly Assignment[],
  ): Promise<Pick<Assignment, 'creative_id' | 'package_id'>[]>
  /** Adds or replaces assignments of creatives that there are. */
  assign(tx: Transaction, owner: string, assignments: readonly Assignment[]): Promise<void>
  /** A few cheap counts, as committed. */
  size(owner: string): Promise<LibrarySize>
  /** Total size in bytes of the named creatives that exist. */
  bytesOf(owner: string, creativeIds: readonly string[]): Promise<number>
  /** Assignments of all creatives of the owner, counted up to `most`. */
  countAssignments(owner: string, most: number): Promise<number>
  list(owner: string, query: CreativeQuery): Promise<CreativePage>
  /** Of these creatives, each with its own in the order of the packages. */
  assignmentsOf(
    owner: string,
    creatives: readonly Pick<StoredCreative, 'creative_id' | 'assignment_count'>[],
  ): Promise<Map<string, StoredAssignment[]>>
}
