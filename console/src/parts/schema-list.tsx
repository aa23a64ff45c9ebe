// Items of a list: each with its fields, and ways to add, move and remove.

import { useRef } from 'preact/hooks'
import { addedOf } from '../schema/blank-of.ts'
import { step } from '../schema/json-schema.ts'
import { GroupHead } from './schema-group.tsx'
import { type DrawnProps, JsonOf, SchemaNode } from './schema-node.tsx'
import { RemoveButton } from './schema-object.tsx'

/** A longer list is written as JSON. */
const MOST_ITEMS = 50

export function SchemaList(props: DrawnProps) {
  const { at, shape, context, label } = props
  const value = Array.isArray(at.value) ? (at.value as readonly unknown[]) : []
  const keys = useKeys(value.length)
  if (shape.kind !== 'array') return null
  if (value.length > MOST_ITEMS) return <JsonOf {...props} />
  const change = (next: readonly unknown[], nextKeys: readonly number[]) => {
    keys.current = [...nextKeys]
    at.change(next)
  }
  const swap = (index: number) => change(swapped(value, index), swapped(keys.current, index))
  const item = (index: number) => `${label} ${index + 1}`
  return (
    <GroupHead {...props}>
      {value.map((one, index) => (
        <div key={keys.current[index]} class="schema-member">
          <SchemaNode
            schema={shape.items}
            name={`${index + 1}`}
            context={{ ...context, depth: context.depth + 1 }}
            at={{
              value: one,
              pointer: step(at.pointer, index),
              faults: at.faults,
              change: (next) => at.change(value.with(index, next === undefined ? null : next)),
            }}
          />
          <div class="schema-moves">
            <MoveButton
              sign="↑"
              what={`Move ${item(index)} up`}
              may={index > 0}
              move={() => swap(index - 1)}
            />
            <MoveButton
              sign="↓"
              what={`Move ${item(index)} down`}
              may={index < value.length - 1}
              move={() => swap(index)}
            />
            <RemoveButton
              what={item(index)}
              remove={() => change(value.toSpliced(index, 1), keys.current.toSpliced(index, 1))}
            />
          </div>
        </div>
      ))}
      <div>
        <button
          type="button"
          class="button small"
          disabled={value.length >= Math.min(shape.max, MOST_ITEMS)}
          onClick={() => at.change([...value, addedOf(shape.items, context.read)])}
        >
          Add to {label}
        </button>
      </div>
    </GroupHead>
  )
}

interface MoveProps {
  sign: string
  what: string
  may: boolean
  move(): void
}

function MoveButton({ sign, what, may, move }: MoveProps) {
  return (
    <button
      type="button"
      class="copy"
      aria-label={what}
      title={what}
      disabled={!may}
      onClick={move}
    >
      {sign}
    </button>
  )
}

/** Swaps the item at the index with the next. */
function swapped<T>(list: readonly T[], index: number): T[] {
  const next = [...list]
  next.splice(index, 2, list[index + 1] as T, list[index] as T)
  return next
}

/** A stable key for each item, so that typed text moves along with it. */
function useKeys(length: number) {
  const keys = useRef<number[]>([])
  const last = useRef(0)
  while (keys.current.length < length) {
    last.current += 1
    keys.current.push(last.current)
  }
  keys.current.length = length
  return keys
}
