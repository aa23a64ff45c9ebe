// A form generated from a JSON Schema, for the requirements of third-party agents. Required fields come first, the
// others are added one by one, and values that no field supports are written as JSON. The whole can be viewed and
// edited as JSON too.

import { type Signal, useSignal } from '@preact/signals'
import { useId, useMemo } from 'preact/hooks'
import type { Faults } from '../schema/faults-of.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { shapesOf } from '../schema/shape-of.ts'
import { JsonField } from './schema-json.tsx'
import { SchemaNode } from './schema-node.tsx'

export interface SchemaFormProps {
  schema: JsonSchema
  /** Undefined means nothing yet; `blankOf(schema)` is a good initial value. */
  value: Signal<unknown>
  /** By JSON pointer: those of `faultsOf`, or errors from a server. */
  faults: Faults
  /** What the form is for, for screen readers: `Request of get_signals`. */
  label: string
}

/** A larger schema is not read: its value is written as JSON. */
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
