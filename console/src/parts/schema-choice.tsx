// One of several variants: the choice of one, followed by its fields.

import { useSignal } from '@preact/signals'
import { addedOf } from '../schema/blank-of.ts'
import { type Faults, faultsOf } from '../schema/faults-of.ts'
import { isMembers, type JsonSchema } from '../schema/json-schema.ts'
import { isPrimitive, type Option, type ReadShape } from '../schema/shape-of.ts'
import { GroupHead } from './schema-group.tsx'
import { type Context, type DrawnProps, SchemaNode } from './schema-node.tsx'

export function SchemaChoice(props: DrawnProps) {
  const { at, shape, context, id, label } = props
  const chosen = useSignal<number | undefined>(undefined)
  if (shape.kind !== 'choice') return null
  const { options } = shape
  const index = chosen.value ?? fittingOption(options, at.value, context)
  const option = options[index]
  return (
    <GroupHead {...props} at={{ ...at, faults: NONE }}>
      <div class="field">
        <label for={`${id}-variant`}>Variant of {label}</label>
        <select
          id={`${id}-variant`}
          class="input"
          value={String(index)}
          onChange={(event) => {
            const next = Number(event.currentTarget.value)
            chosen.value = next
            at.change(addedOf(options[next]?.schema ?? true, context.read))
          }}
        >
          {options.map(({ title }, place) => (
            <option key={place} value={String(place)}>
              {title}
            </option>
          ))}
        </select>
      </div>
      {option && (
        <SchemaNode
          key={index}
          schema={option.schema}
          at={at}
          context={{ ...context, depth: context.depth + 1 }}
        />
      )}
    </GroupHead>
  )
}

/** Errors are displayed at the fields of the variant. */
const NONE: Faults = new Map()

/** The variant whose fixed members match the value, or else the one with the fewest errors. */
function fittingOption(options: readonly Option[], value: unknown, context: Context): number {
  const fixed = options.findIndex(({ schema }) => isFixedAs(schema, value, context.read))
  if (fixed >= 0) return fixed
  const faults = options.map(({ schema }) => faultsWithin(schema, value, context.root))
  return Math.max(0, faults.indexOf(Math.min(...faults)))
}

function isFixedAs(schema: JsonSchema, value: unknown, read: ReadShape): boolean {
  const shape = read(schema)
  if (shape.kind !== 'object' || !isMembers(value)) return false
  const consts = [...shape.members].flatMap(([name, member]) => {
    const { kind, ...inside } = read(member)
    return kind === 'const' && 'value' in inside && isPrimitive(inside.value)
      ? [[name, inside.value] as const]
      : []
  })
  return consts.length > 0 && consts.every(([name, one]) => value[name] === one)
}

function faultsWithin(schema: JsonSchema, value: unknown, root: JsonSchema): number {
  const faults = faultsOf(schema, value, root)
  return faults.has('') ? 1_000 : faults.size
}
