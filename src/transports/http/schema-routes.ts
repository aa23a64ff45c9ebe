// `/schemas/v3/*.json`: the JSON Schema of every request, response and shared resource (spec 9). They are the same
// objects that validate requests, so they are always accurate. `/schemas/3.1/*.json` and so on: those of one release.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { requestSchemaOf, responseSchemaOf } from '../../agent/release-schemas.ts'
import type { TableEntry, TaskTable } from '../../agent/task-table.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import type { ReleaseTable, Version } from '../../protocol/releases/release-table.ts'
import { type JsonSchema, toJsonSchema } from '../../protocol/schemas/json-schema.ts'
import { RESOURCE_AREAS, RESOURCES } from '../../protocol/schemas/resources.ts'
import { sendFault } from './errors.ts'

const GENERAL = 'v3'

export interface SchemaSources {
  tasks: TaskTable
  identifiers: Identifiers
  /** The releases whose schemas are published. */
  releases: ReleaseTable
  publicUrl: () => string
}

export function schemaRoutes(sources: SchemaSources) {
  const { releases, publicUrl } = sources
  const folders = [GENERAL, ...releases.served]
  return (app: FastifyInstance): void => {
    const making = new Map<string, Promise<Map<string, Buffer>>>()
    const all = (folder: string) => {
      const known = making.get(folder)
      if (known) return known
      const root = `${publicUrl()}/schemas/${folder}`
      const made =
        folder === GENERAL
          ? documentsOf(sources, root)
          : documentsOfRelease(sources, releases.version(folder), root)
      making.set(folder, made)
      return made
    }
    app.get(
      '/schemas/:release/:file',
      {
        schema: {
          operationId: 'getSchema',
          summary:
            'The JSON Schema of a request or response in a release, such as 3.1, or of all of them (v3); index.json lists the schemas',
          tags: ['Operations'],
        },
      },
      async (request, reply) => {
        const { release, file } = request.params as { release: string; file: string }
        if (!folders.includes(release)) {
          const error = `no schemas of release ${release.slice(0, 100)}: use ${folders.join(', ')}`
          return sendFault(reply, { status: 404, error })
        }
        const document = (await all(release)).get(file)
        if (document === undefined) {
          return sendFault(reply, {
            status: 404,
            error: `no schema ${file.slice(0, 100)}: /schemas/${release}/index.json lists the schemas`,
          })
        }
        return reply
          .header('content-type', 'application/schema+json; charset=utf-8')
          .header('cache-control', 'public, max-age=300')
          .send(document)
      },
    )
  }
}

/** Generated once for all callers, one in each turn. */
async function documentsOf({ tasks }: SchemaSources, root: string): Promise<Map<string, Buffer>> {
  const documents = new Map<string, Buffer>()
  const add = async (file: string, schema: z.ZodType, io: 'input' | 'output') => {
    put(documents, file, toJsonSchema(schema, { io, id: `${root}/${file}`, title: titleOf(file) }))
    await nextTurn()
  }
  const known = tasks.knownTo(undefined)
  for (const entry of known) {
    await add(fileOf(entry, 'request'), entry.request, 'input')
    await add(fileOf(entry, 'response'), entry.response, 'output')
  }
  const areas = new Set(known.map(({ task }) => task.area))
  for (const [name, schema] of Object.entries(RESOURCES)) {
    const area = RESOURCE_AREAS.get(name)
    if (area === undefined || areas.has(area)) await add(`${name}.json`, schema, 'output')
  }
  return withIndex(documents, GENERAL, root)
}

/** The same for the tasks of one release. */
async function documentsOfRelease(
  { tasks, identifiers, releases }: SchemaSources,
  version: Version,
  root: string,
): Promise<Map<string, Buffer>> {
  const documents = new Map<string, Buffer>()
  const existing = tasks
    .knownTo(undefined)
    .filter(({ task: { feature } }) => feature === undefined || version.features.has(feature))
  const optionsOf = (file: string) => {
    const title = `${titleOf(file)} of ${version.release}`
    return { releases, identifiers, id: `${root}/${file}`, title }
  }
  for (const entry of existing) {
    const request = fileOf(entry, 'request')
    put(documents, request, requestSchemaOf(entry, version, optionsOf(request)))
    await nextTurn()
    const response = fileOf(entry, 'response')
    put(documents, response, responseSchemaOf(entry, version, optionsOf(response)))
    await nextTurn()
  }
  return withIndex(documents, version.release, root)
}

function fileOf({ name }: TableEntry, kind: 'request' | 'response'): string {
  return `${name.replaceAll('_', '-')}-${kind}.json`
}

function put(documents: Map<string, Buffer>, file: string, document: JsonSchema): void {
  documents.set(file, Buffer.from(JSON.stringify(document)))
}

function withIndex(documents: Map<string, Buffer>, version: string, root: string) {
  const schemas = Object.fromEntries([...documents.keys()].map((file) => [file, `${root}/${file}`]))
  put(documents, 'index.json', { version, schemas })
  return documents
}

function titleOf(file: string): string {
  return file.replace(/\.json$/, '').replaceAll('-', ' ')
}
