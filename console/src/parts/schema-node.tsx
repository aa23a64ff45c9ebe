// One value of a form by its schema: the matching field, or a container of other fields.

import { useId } from 'preact/hooks'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { ReadShape, Shape } from '../schema/shape-of.ts'
import { SchemaChoice } from './schema-choice.tsx'
import { SchemaField } from './schema-field.tsx'
import { type At, JsonField } from './schema-json.tsx'
import { SchemaList } from './schema-list.tsx'
import { SchemaObject } from './schema-object.tsx'

export interface Context {
  /** The whole document. */
  root: JsonSchema
  read: ReadShape
  depth: number
}

export interface NodeProps {
  schema: JsonSchema
  at: At
  context: Context
  /** The name of the member; undefined for the root. */
  name?: string
  isRequired?: boolean
}

/** The component for each kind of value. */
export interface DrawnProps extends NodeProps {
  id: string
  label: string
  shape: Shape
}

/** Deeper values are written as JSON. */
const MOST_DEPTH = 10

export function SchemaNode(props: NodeProps) {
  const { schema, at, context, name } = props
  const id = useId()
  const shape = context.read(schema)
  const label = labelOf(shape, name)
  const drawn: DrawnProps = { ...props, id, label, shape }
  if (at.value === null && shape.isNullable && name !== undefined) {
    return (
      <div class="field">
        <span class="label">{label}</span>
        <p class="row">
          <code>null</code>
          <button type="button" class="link-button" onClick={() => at.change('')}>
            Give a value
          </button>
        </p>
      </div>
    )
  }
  if (context.depth > MOST_DEPTH) return <JsonOf {...drawn} />
  switch (shape.kind) {
    case 'object':
      return <SchemaObject {...drawn} />
    case 'array':
      return <SchemaList {...drawn} />
    case 'choice':
      return <SchemaChoice {...drawn} />
    case 'any':
    case 'never':
      return <JsonOf {...drawn} />
    default:
      return <SchemaField {...drawn} />
  }
}

function labelOf({ title }: Shape, name: string | undefined): string {
  if (name === undefined) return title ?? 'Value'
  return title === undefined || title.toLowerCase() === name.toLowerCase()
    ? name
    : `${name} (${title})`
}

export function JsonOf({ id, label, at, shape, isRequired }: DrawnProps) {
  const hint =
    shape.kind === 'never' ? 'No value is allowed here.' : `${shape.hint} Enter JSON.`.trim()
  return <JsonField id={id} label={isRequired ? `${label} *` : label} at={at} hint={hint} />
}
