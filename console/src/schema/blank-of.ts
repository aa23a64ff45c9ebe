// The initial value of a form: what the schema fixes or gives as default, and the required members inside that.

import type { JsonSchema } from './json-schema.ts'
import { type ReadShape, shapesOf } from './shape-of.ts'

const MOST_DEPTH = 6
const MOST_STEPS = 400

/** Undefined if a person has to enter it. */
export function blankOf(schema: JsonSchema, read: ReadShape = shapesOf(schema)): unknown {
  let left = MOST_STEPS
  const blank = (of: JsonSchema, depth: number): unknown => {
    left -= 1
    if (left < 0 || depth > MOST_DEPTH) return undefined
    const shape = read(of)
    if (shape.plain.default !== undefined) return shape.plain.default
    switch (shape.kind) {
      case 'const':
        return shape.value
      case 'null':
        return null
      case 'array':
        return []
      case 'choice':
        return blank(shape.options[0]?.schema ?? true, depth + 1)
      case 'object': {
        const members = [...shape.required].flatMap((name): [string, unknown][] => {
          const value = blank(shape.members.get(name) ?? true, depth + 1)
          return value === undefined ? [] : [[name, value]]
        })
        return Object.fromEntries(members)
      }
      default:
        return undefined
    }
  }
  return blank(schema, 0)
}

/** Like `blankOf`, for a field that was added: it exists, and waits for its value. */
export function addedOf(schema: JsonSchema, read: ReadShape): unknown {
  const value = blankOf(schema, read)
  if (value !== undefined) return value
  const { kind } = read(schema)
  return kind === 'boolean' ? true : kind === 'any' ? {} : ''
}
