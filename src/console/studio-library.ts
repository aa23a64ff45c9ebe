// The library of creatives (spec 4.5) of all principals: listing, viewing and previewing them; and saving to the
// user's own library with sync_creatives.

import { randomUUID } from 'node:crypto'
import type { CreativeStore, StoredCreative } from '../creative/library-store.ts'
import { defined } from '../lib/defined.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type { SyncCreativesResponse } from '../protocol/schemas/sync-creatives.ts'
import type { TaskStore } from '../tasks/store.ts'
import type {
  LibraryCreative,
  LibraryItem,
  LibraryPage,
  LibraryQuery,
  SaveAnswer,
  SaveBody,
} from './api/studio.ts'
import { type ActionPorts, actInOtherTab } from './audit.ts'
import { asReader, type CallTask, refusalOfTask } from './call-task.ts'
import { iso, type PrincipalNames } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import type { ConsoleQueries, ListedCreative } from './queries.ts'
import { badCursor, notFound, Refused } from './refusal.ts'
import type { Visitor } from './sessions.ts'
import { builtManifest, ownFiles } from './studio-builds.ts'
import { formatIdOf } from './studio-formats.ts'
import { previewAnswerOf, previewOf } from './studio-preview.ts'

export interface LibraryPorts extends ActionPorts {
  callTask: CallTask
  publicUrl: () => string
  names: PrincipalNames
  tasks: Pick<TaskStore, 'get'>
  queries: Pick<ConsoleQueries, 'taskOwner' | 'creatives'>
  library: Pick<CreativeStore, 'list' | 'assignmentsOf'>
}

type LibraryRoute = 'listLibrary' | 'getLibraryCreative' | 'previewLibraryCreative' | 'saveCreative'

export function libraryHandlers(ports: LibraryPorts): Handlers<LibraryRoute> {
  return {
    listLibrary: ({ query }) => listLibrary(ports, query),
    getLibraryCreative: async ({ params }) => showCreative(ports, ownedOf(params.library_id)),
    previewLibraryCreative: async ({ visitor, params, signal }) => {
      const { format_id, assets } = await creativeOf(ports, ownedOf(params.library_id))
      const answer = await ports.callTask({
        principal: asReader(visitor.principal),
        task: 'preview_creative',
        signal,
        arguments: previewOf({ format_id, assets }, {}),
      })
      return previewAnswerOf(answer)
    },
    saveCreative: (requested) => save(ports, requested),
  }
}

const LIST = 'console.library'

async function listLibrary(
  { queries, names }: LibraryPorts,
  { cursor, limit, q, status, format, principal_id }: LibraryQuery,
): Promise<LibraryPage> {
  const place =
    cursor === undefined ? undefined : readCursor(LIST, cursor, ['integer', 'text', 'text'])
  if (cursor !== undefined && !place) throw badCursor()
  const { rows, next } = await queries.creatives({
    owner: principal_id,
    status,
    formatKey: format,
    sought: q,
    limit,
    after: place && { created_at: place[0], owner: place[1], creative_id: place[2] },
  })
  const known = await names(rows.map(({ owner }) => owner))
  return {
    items: rows.map((row) => itemOf(row, known)),
    ...defined({
      next_cursor: next && cursorOf(LIST, [next.created_at, next.owner, next.creative_id]),
    }),
  }
}

function itemOf(
  { owner, formatKey: format, created_at, updated_at, ...creative }: ListedCreative,
  names: ReadonlyMap<string, string>,
): LibraryItem {
  const { creative_id, name, status, assignment_count } = creative
  return {
    library_id: libraryIdOf(owner, creative_id),
    creative_id,
    name,
    format,
    status,
    assignment_count,
    principal_id: owner,
    created_at: iso(created_at),
    updated_at: iso(updated_at),
    ...defined({ principal_name: names.get(owner) }),
  }
}

interface Owned {
  owner: string
  creative_id: string
}

const KIND = 'creative'

function libraryIdOf(owner: string, creative_id: string): string {
  return cursorOf(KIND, [owner, creative_id])
}

function ownedOf(libraryId: string): Owned {
  const place = readCursor(KIND, libraryId, ['text', 'text'])
  if (!place) throw notFound('such creative')
  return { owner: place[0], creative_id: place[1] }
}

async function creativeOf(
  { library }: LibraryPorts,
  { owner, creative_id }: Owned,
): Promise<StoredCreative> {
  const { creatives } = await library.list(owner, {
    filter: { creative_ids: [creative_id] },
    sort: { field: 'created_date', direction: 'desc' },
    limit: 1,
  })
  const [found] = creatives
  if (!found) throw notFound(`creative ${creative_id}`)
  return found
}

async function showCreative(ports: LibraryPorts, owned: Owned): Promise<LibraryCreative> {
  const { owner, creative_id } = owned
  const creative = await creativeOf(ports, owned)
  const [assignments, names] = await Promise.all([
    ports.library.assignmentsOf(owner, [creative]),
    ports.names([owner]),
  ])
  const { format_id, assets, tags, concept_name, concept_id, bytes } = creative
  return {
    ...itemOf({ ...creative, owner }, names),
    tags: [...tags],
    bytes,
    manifest: { format_id: { ...format_id }, assets: { ...assets } },
    files: ownFiles({ assets }, ports.publicUrl()),
    assignments: (assignments.get(creative_id) ?? [])
      .toSorted((one, other) => one.assigned_at - other.assigned_at)
      .map(({ package_id, weight, assigned_at }) => ({
        package_id,
        assigned_at: iso(assigned_at),
        ...defined({ weight }),
      })),
    ...defined({ concept: concept_name ?? concept_id }),
  }
}

async function save(
  ports: LibraryPorts,
  { visitor, body, signal }: { visitor: Visitor; body: SaveBody; signal: AbortSignal },
): Promise<SaveAnswer> {
  const { creative_id, name, tags, creative } = body
  const { principal } = visitor
  const action = { visitor, action: 'studio.save', target: creative_id, detail: name }
  return actInOtherTab(ports, action, async () => {
    const { format_id, assets } =
      'task_id' in creative
        ? await builtManifest(ports, creative)
        : { format_id: formatIdOf(ports, creative.format), assets: creative.assets }
    const answer = await ports.callTask({
      principal,
      task: 'sync_creatives',
      signal,
      arguments: {
        idempotency_key: randomUUID(),
        creatives: [{ creative_id, name, format_id, assets, ...defined({ tags }) }],
      },
    })
    if (!answer.ok) throw refusalOfTask(answer)
    const [result] = (answer.body as unknown as SyncCreativesResponse).creatives
    const { action: done, warnings = [] } = result ?? {}
    if (done !== 'created' && done !== 'updated' && done !== 'unchanged') {
      throw new Refused(409, 'not_saved', 'the creative was not saved')
    }
    return { library_id: libraryIdOf(principal.principal_id, creative_id), action: done, warnings }
  })
}
