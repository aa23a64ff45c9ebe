// What authorizations need from a database: the files they come from, by version, and the rows themselves.

import type { Transaction } from '../../lib/transaction.ts'
import type { FileFault } from '../../protocol/adagents/faults.ts'
import type {
  FileEntry,
  FileProperty,
  PublisherFile,
  Revocation,
} from '../../protocol/adagents/file-model.ts'
import type {
  AuthorizationRecord,
  AuthorizationStatus,
  DiscoveryMethod,
  NewAuthorization,
} from './authorization.ts'

export interface StoredFile {
  id: string
  url: string
  host: string
  version: number
  applied_version: number
  etag: string | null
  last_modified: string | null
  digest: string | null
  bytes: number
  property_count: number
  entry_count: number
  last_updated: number | null
  contact: PublisherFile['contact']
  counts: PublisherFile['counts']
  faults: FileFault[]
  total_faults: number
  verified_at: number
  checked_at: number
}

export type FileHead = Omit<StoredFile, 'id' | 'version' | 'applied_version' | 'host' | 'url'>

/** A version that is being written, or is in use. */
export interface FileVersion {
  id: string
  version: number
}

export interface StoredProperty extends Omit<FileProperty, 'n'> {
  file_id: string
  n: number
}

export interface FileStore {
  get(id: string): Promise<StoredFile | undefined>
  /** The version to write next; registers the file. Parts of a version that was never finished do no harm. */
  begin(tx: Transaction, url: string): Promise<FileVersion>
  addProperties(
    tx: Transaction,
    file: FileVersion,
    properties: readonly FileProperty[],
  ): Promise<void>
  addEntries(tx: Transaction, file: FileVersion, entries: readonly FileEntry[]): Promise<void>
  addRevocations(tx: Transaction, file: FileVersion, revoked: readonly Revocation[]): Promise<void>
  /** Puts a version in use. */
  finish(tx: Transaction, file: FileVersion, head: FileHead): Promise<void>
  /** The file is as it was. */
  touch(tx: Transaction, id: string, now: number): Promise<void>
  /** The authorizations of this version have been computed. */
  applied(tx: Transaction, file: FileVersion): Promise<void>
  /** Files whose newest version has not been applied everywhere. */
  unapplied(limit: number): Promise<FileVersion[]>
  /** Deletes some rows of other versions. 0 when there are none. */
  dropOthers(tx: Transaction, id: string): Promise<number>
  /** Publishers that a file describes, speaks for, or has authorizations of, starting after a domain, in order. */
  publishers(id: string, page: { after: string; limit: number }): Promise<string[]>
  entries(tx: Transaction, file: FileVersion): Promise<FileEntry[]>
  /** Properties in use for these publishers in these files. */
  propertiesOf(
    tx: Transaction,
    files: readonly string[],
    publishers: readonly string[],
  ): Promise<StoredProperty[]>
  /** Which files in use name these publishers, at most a few for each. */
  naming(
    tx: Transaction,
    publishers: readonly string[],
  ): Promise<{ publisher_domain: string; file_id: string }[]>
  versions(tx: Transaction, ids: readonly string[]): Promise<(FileVersion & { host: string })[]>
  revokedBy(
    tx: Transaction,
    files: readonly string[],
    publishers: readonly string[],
  ): Promise<({ file_id: string } & Revocation)[]>
}

/** The file that speaks for a publisher. */
export interface Speaker {
  publisher_domain: string
  /** Null when there is none. */
  file_id: string | null
  discovery_method: DiscoveryMethod | null
  manager_domain: string | null
  /** Whether another file may name it: its own file exists and does not mention it, rather than being broken. */
  isSilent: boolean
}

export interface HeldRevocation {
  publisher_domain: string
  held_until: number
  reason: string | null
}

export interface PublisherRow {
  publisher_domain: string
  discovery_method: DiscoveryMethod
  manager_domain: string | null
  property_ids: string[]
  properties_authorized: number
  properties_total: number
  is_pinned: boolean
  status: AuthorizationStatus
  verified_at: number
}

/** An authorization with the time when its source was last read. */
export interface ReadAuthorization extends AuthorizationRecord {
  verified_at: number
}

export interface PropertyMatch extends StoredProperty {
  publisher_domain: string
}

export interface AuthorizationStore {
  /** The stored authorizations of these publishers, including ended ones. */
  of(
    tx: Transaction,
    publishers: readonly string[],
  ): Promise<(AuthorizationRecord & { digest: string })[]>
  put(tx: Transaction, rows: readonly (NewAuthorization & { digest: string })[]): Promise<void>
  end(tx: Transaction, ids: readonly string[], status: 'revoked' | 'ended'): Promise<void>
  note(tx: Transaction, changes: readonly AuthorizationChange[]): Promise<void>
  history(id: string, limit: number): Promise<(AuthorizationChange & { changed_at: number })[]>
  held(tx: Transaction, publishers: readonly string[]): Promise<HeldRevocation[]>
  /** Starts a revocation, or keeps the existing one: its end never moves to an earlier time. */
  hold(
    tx: Transaction,
    revocations: readonly {
      publisher_domain: string
      file_id: string
      reason: string | null
      revoked_at: number
      held_until: number
    }[],
  ): Promise<void>
  /** Agents of this list that no file has ever named. */
  unknownAgents(tx: Transaction, agents: readonly string[]): Promise<string[]>

  /** Whether any publisher was ever seen naming the agent. */
  isKnown(agentUrl: string): Promise<boolean>
  publishersOf(
    agentUrl: string,
    page: {
      statuses: readonly ('authorized' | 'revoked')[]
      since: number | null
      after: string
      limit: number
      /** Only authorizations that are in effect at that time. */
      now: number
    },
  ): Promise<PublisherRow[]>
  /** Live and claimed ones. */
  ofPublisher(domain: string, limit: number): Promise<ReadAuthorization[]>
  ofAgent(agentUrl: string, page: { after: string; limit: number }): Promise<ReadAuthorization[]>
  ofPairs(
    pairs: readonly { agent_url: string; publisher_domain: string }[],
  ): Promise<ReadAuthorization[]>
  all(page: { after: string; limit: number }): Promise<ReadAuthorization[]>
  properties(domain: string, page: { limit: number }): Promise<StoredProperty[]>
  byIdentifier(
    identifiers: readonly { type: string; value: string }[],
  ): Promise<(PropertyMatch & { type: string; value: string })[]>
}

export interface AuthorizationChange {
  authorization_id: string
  change: 'granted' | 'changed' | 'revoked' | 'ended'
  reason: string
  terms: unknown
}
