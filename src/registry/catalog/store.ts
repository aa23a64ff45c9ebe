// What the catalogue of properties needs from a database.

import type { Transaction } from '../../lib/transaction.ts'
import type { PropertyIdentifier } from '../../protocol/adagents/file-model.ts'
import type { CatalogProperty, LinkedIdentifier } from './property.ts'

/** A property with its identifiers. */
export interface CatalogEntry extends CatalogProperty {
  identifiers: LinkedIdentifier[]
}

/** Who has an identifier. */
export interface IdentifierLink extends LinkedIdentifier {
  property: CatalogProperty
}

export interface CatalogFilter {
  source?: string | undefined
  status?: string | undefined
  identifier_type?: string | undefined
  /** What an identifier's value begins with. */
  search?: string | undefined
}

export interface CatalogStore {
  /** Marks publishers whose file came, went or changed. */
  mark(tx: Transaction, publishers: readonly string[]): Promise<void>
  /** Only one transaction at a time changes the catalogue. */
  lock(tx: Transaction): Promise<void>
  /** Takes the marks of some publishers. */
  takeMarked(tx: Transaction, limit: number): Promise<string[]>
  /** The properties of a publisher, removed ones as well. */
  ofPublisher(tx: Transaction, domain: string): Promise<CatalogEntry[]>
  /** In a transaction, or outside one. */
  byIdentifiers(
    identifiers: readonly PropertyIdentifier[],
    tx?: Transaction,
  ): Promise<IdentifierLink[]>
  put(tx: Transaction, properties: readonly CatalogProperty[]): Promise<void>
  /** Gives identifiers to a property, whoever had them. */
  link(
    tx: Transaction,
    links: readonly (LinkedIdentifier & { property_rid: string })[],
  ): Promise<void>
  unlink(tx: Transaction, identifiers: readonly PropertyIdentifier[]): Promise<void>
  /** Moves what is left of the identifiers, and makes the alias and its own aliases name the canonical one. */
  merge(
    tx: Transaction,
    merged: { alias_rid: string; canonical_rid: string; evidence: string },
  ): Promise<void>
  /** Notes that they were resolved. */
  touch(tx: Transaction, rids: readonly string[]): Promise<void>
  /** Contributed ones that nobody has resolved since, and are active. */
  unresolved(tx: Transaction, before: number, limit: number): Promise<CatalogEntry[]>
  /** How many properties an organisation has contributed. */
  contributed(tx: Transaction, organizationId: string): Promise<number>

  /** By its rid, or by an alias. */
  get(rid: string): Promise<CatalogEntry | undefined>
  /** In the order of their rids. */
  list(page: { filter: CatalogFilter; after: string; limit: number }): Promise<CatalogEntry[]>
  count(filter: CatalogFilter, most: number): Promise<number>
  /** In the order of their changes. */
  changed(page: {
    since: number
    after: { updated_at: number; property_rid: string } | undefined
    limit: number
  }): Promise<CatalogProperty[]>
}
