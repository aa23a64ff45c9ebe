// A form made of a JSON Schema, for what third-party agents require. Required fields come first, the rest is added
// field by field, and what no field can be drawn for is written as JSON. The whole can be viewed and changed as JSON
// too.

import { type Signal, useSignal } from '@preact/signals'
import { useId, useMemo } from 'preact/hooks'
import type { Faults } from '../schema/faults-of.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { shapesOf } from '../schema/shape-of.ts'
import { JsonField } from './schema-json.tsx'
import { SchemaNode } from './schema-node.tsx'

export interface SchemaFormProps {
  schema: JsonSchema
  /** Undefined is nothing yet; `blankOf(schema)` is a good beginning. */
  value: Signal<unknown>
  /** By JSON pointer: those of `faultsOf`, or what a server said. */
  faults: Faults
  /** What is filled in, for those who do not see the page: `Request of get_signals`. */
  label: string
}

/** Beyond this a schema is not read: its value is written as JSON. */
const MOST_CHARS = 500_000

export function SchemaForm({ schema, value, faults, label }: SchemaFormProps) {
  const id = useId()
  const asJson = useSignal(false)
  const isTooLarge = useMemo(() => JSON.stringify(schema).length > MOST_CHARS, [schema])
  const read = useMemo(() => shapesOf(schema), [schema])
  const change = (next: unknown) => {
    value.value = next
  }
  const isJson = asJson.value || isTooLarge
  return (
    <fieldset class="schema-form stack">
      <legend class="sr-only">{label}</legend>
      <fieldset class="tabs">
        <legend class="sr-only">How to fill it in</legend>
        {([false, true] as const).map((json) => (
          <button
            key={String(json)}
            type="button"
            aria-pressed={isJson === json}
            disabled={isTooLarge}
            onClick={() => {
              asJson.value = json
            }}
          >
            {json ? 'JSON' : 'Form'}
          </button>
        ))}
      </fieldset>
      {isTooLarge && <p class="small soft">Its schema is too large for a form, so enter JSON.</p>}
      {isJson ? (
        <JsonField
          id={id}
          label={label}
          at={{ value: value.value, pointer: '', faults, change }}
          rows={16}
        />
      ) : (
        <SchemaNode
          key={id}
          schema={schema}
          at={{ value: value.value, pointer: '', faults, change }}
          context={{ root: schema, read, depth: 0 }}
        />
      )}
    </fieldset>
  )
}
