// The directory of agents in SQL. Published agents and those private to the reader's organisation are each read in
// two index scans, so a page costs only what it holds; only agents of another kind in between are skipped.

import { isStorable } from '../../../lib/storable-text.ts'
import type {
  AgentDirectory,
  DirectoryPage,
  DirectoryReader,
  ListedAgent,
} from '../../../registry/directory/store.ts'
import type { Database, Queryable, SqlValue } from '../../sql/database.ts'
import { isoTime } from '../../sql/iso-time.ts'

interface AgentRow {
  url: string
  type: string
  name: string | null
  listed_by: string
  is_personal: number
  created_at: number
  updated_at: number
  organization_id: string
}

export function createAgentDirectory({ read }: Database): AgentDirectory {
  const page = async (reader: DirectoryReader, wanted: Wanted): Promise<ListedAgent[]> => {
    const { organizationId } = reader
    const [listed, own] = await Promise.all([
      find(read, published(reader), wanted),
      organizationId === undefined ? [] : find(read, privateTo(organizationId), wanted),
    ])
    return firstOfEach([...listed, ...own])
      .slice(0, wanted.limit)
      .map(agentOf)
  }
  return {
    page,
    get: async (reader, url) => {
      const [found] = isStorable(url) ? await page(reader, { url, limit: 1 }) : []
      return found
    },
  }
}

interface Wanted extends DirectoryPage {
  url?: string
}

interface Scope {
  /** The rows of a table with that name that the reader may see. */
  where(table: string): string
  params: readonly SqlValue[]
}

function published({ isMember }: DirectoryReader): Scope {
  return {
    where: (table) =>
      `${table}.visibility <> 'private'${isMember ? '' : ` AND ${table}.visibility = 'public'`}`,
    params: [],
  }
}

function privateTo(organizationId: string): Scope {
  return {
    where: (table) => `${table}.visibility = 'private' AND ${table}.organization_id = $1`,
    params: [organizationId],
  }
}

async function find(
  read: Queryable,
  { where, params: scoped }: Scope,
  { type, after, url, limit }: Wanted,
): Promise<AgentRow[]> {
  const params: SqlValue[] = [...scoped]
  const terms = [where('a')]
  const term = (left: string, value: string | undefined) => {
    if (value !== undefined) terms.push(`${left} $${params.push(value)}`)
  }
  term('a.type =', type)
  term('a.url >', after)
  term('a.url =', url)
  return read.all<AgentRow>(
    `SELECT a.url, a.type, a.name, a.organization_id, a.created_at, a.updated_at, o.name AS listed_by, o.is_personal
     FROM member_agents a JOIN organizations o ON o.organization_id = a.organization_id
     WHERE ${terms.join(' AND ')} AND NOT EXISTS (
       SELECT 1 FROM member_agents b WHERE b.url = a.url AND ${where('b')}
         AND (b.created_at, b.organization_id) < (a.created_at, a.organization_id))
     ORDER BY a.url LIMIT $${params.push(limit)}`,
    params,
  )
}

/** By URL; if several have the same URL, the one listed first. */
function firstOfEach(rows: readonly AgentRow[]): AgentRow[] {
  const first = new Map<string, AgentRow>()
  for (const row of rows) {
    const known = first.get(row.url)
    if (!known || isBefore(row, known)) first.set(row.url, row)
  }
  // URLs are ASCII, so this is the order of the databases.
  return [...first.values()].sort((a, b) => (a.url < b.url ? -1 : 1))
}

function isBefore(a: AgentRow, b: AgentRow): boolean {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at
  return a.organization_id < b.organization_id
}

function agentOf({
  is_personal,
  listed_by,
  created_at,
  updated_at,
  ...row
}: AgentRow): ListedAgent {
  return {
    url: row.url,
    type: row.type,
    name: row.name,
    listed_by: is_personal === 1 ? null : listed_by,
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  }
}
