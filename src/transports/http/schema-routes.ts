// `/schemas/v3/*.json`: the JSON Schema of every request, response and shared resource (spec 9). They are the same
// objects that validate requests, so they are always accurate.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { TaskTable } from '../../agent/task-table.ts'
import { toJsonSchema } from '../../protocol/schemas/json-schema.ts'
import { RESOURCE_AREAS, RESOURCES } from '../../protocol/schemas/resources.ts'
import { sendFault } from './errors.ts'

const ROOT = '/schemas/v3'

export function schemaRoutes(tasks: TaskTable, publicUrl: () => string) {
  return (app: FastifyInstance): void => {
    let making: Promise<Map<string, Buffer>> | undefined
    const all = () => {
      making ??= documentsOf(tasks, `${publicUrl()}${ROOT}`)
      return making
    }
    app.get(
      `${ROOT}/:file`,
      {
        schema: {
          operationId: 'getSchema',
          summary: 'The JSON Schema of a request, a response or a resource; index.json lists them',
          tags: ['Operations'],
        },
      },
      async (request, reply) => {
        const { file } = request.params as { file: string }
        const document = (await all()).get(file)
        if (document === undefined) {
          return sendFault(reply, {
            status: 404,
            error: `no schema ${file.slice(0, 100)}: ${ROOT}/index.json lists the schemas`,
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
async function documentsOf(tasks: TaskTable, root: string): Promise<Map<string, Buffer>> {
  const documents = new Map<string, Buffer>()
  const put = (file: string, document: object) =>
    documents.set(file, Buffer.from(JSON.stringify(document)))
  const add = async (file: string, schema: z.ZodType, io: 'input' | 'output') => {
    put(file, toJsonSchema(schema, { io, id: `${root}/${file}`, title: titleOf(file) }))
    await nextTurn()
  }
  const known = tasks.knownTo(undefined)
  for (const { name, request, response } of known) {
    const base = name.replaceAll('_', '-')
    await add(`${base}-request.json`, request, 'input')
    await add(`${base}-response.json`, response, 'output')
  }
  const areas = new Set(known.map(({ task }) => task.area))
  for (const [name, schema] of Object.entries(RESOURCES)) {
    const area = RESOURCE_AREAS.get(name)
    if (area === undefined || areas.has(area)) await add(`${name}.json`, schema, 'output')
  }
  const schemas = Object.fromEntries([...documents.keys()].map((file) => [file, `${root}/${file}`]))
  put('index.json', { version: 'v3', schemas })
  return documents
}

function titleOf(file: string): string {
  return file.replace(/\.json$/, '').replaceAll('-', ' ')
}
