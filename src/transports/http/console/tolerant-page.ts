// Writes a page of the console. A row that does not fit its schema, such as one that an older version stored, is listed
// as unreadable: it hides neither itself nor the other rows.

import { z } from 'zod'
import type { UnreadableRow } from '../../../console/api/common.ts'

/** Options of a route with a response of this schema. */
export function writerOf(
  schema: unknown,
  onUnreadable: (error: unknown) => void,
): { serializerCompiler?: () => (data: unknown) => string } {
  return isPage(schema) ? { serializerCompiler: () => pageWriter(schema, onUnreadable) } : {}
}

type PageSchema = z.ZodObject<{ items: z.ZodArray }>

function isPage(schema: unknown): schema is PageSchema {
  return schema instanceof z.ZodObject && schema.shape.items instanceof z.ZodArray
}

/** @internal */
export function pageWriter(
  schema: PageSchema,
  onUnreadable: (error: unknown) => void,
): (data: unknown) => string {
  return (data) => {
    const whole = z.safeEncode(schema, data as never)
    if (whole.success) return JSON.stringify(whole.data)
    const page = data as { items: unknown[] }
    const { element } = schema.shape.items
    const items: unknown[] = []
    const unreadable: UnreadableRow[] = []
    for (const row of page.items) {
      const { error } = z.safeEncode(element, row as never)
      if (error) unreadable.push({ id: idOf(row), reason: reasonOf(error) })
      else items.push(row)
    }
    // The mismatch is not in a row.
    if (unreadable.length === 0) throw whole.error
    onUnreadable(whole.error)
    return JSON.stringify(z.encode(schema, { ...page, items, unreadable } as never))
  }
}

/** The first member that is an id. */
function idOf(row: unknown): string {
  const id = Object.entries(row ?? {}).find(([name]) => name.endsWith('_id'))
  return id === undefined ? 'unknown' : String(id[1])
}

function reasonOf({ issues }: z.core.$ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}
