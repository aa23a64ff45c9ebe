// The size and length of a template: they are part of the address, as they are of its format id.

import { useSignal } from '@preact/signals'
import type { FormatDetails } from '../../../src/console/api/studio.ts'
import { Field } from '../parts/field.tsx'
import { changeQuery, query } from '../router.ts'

const FIELDS = {
  dimensions: [
    ['width', 'Width (px)', '300'],
    ['height', 'Height (px)', '250'],
  ],
  duration: [['duration_ms', 'Length (ms)', '15000']],
} as const

/** For a format that accepts none, or has been given all, only the given ones. */
export function ParameterFields({ format }: { format: FormatDetails }) {
  const given = (name: string, first: string) => query.value.get(name) ?? first
  const isSized = query.value.has('width') || format.takes.includes('dimensions')
  const isTimed = query.value.has('duration_ms') || format.takes.includes('duration')
  const width = useSignal(given('width', '300'))
  const height = useSignal(given('height', '250'))
  const duration = useSignal(given('duration_ms', '15000'))
  if (!isSized && !isTimed) return null
  const values = { width, height, duration_ms: duration }
  const fields = [...(isSized ? FIELDS.dimensions : []), ...(isTimed ? FIELDS.duration : [])]
  const apply = (event: Event) => {
    event.preventDefault()
    changeQuery(Object.fromEntries(fields.map(([name]) => [name, values[name].peek().trim()])))
  }
  return (
    <form class="parameters" onSubmit={apply} noValidate>
      {fields.map(([name, label]) => (
        <Field key={name} label={label} value={values[name]} maxLength={8} />
      ))}
      <button type="submit" class="button">
        {format.takes.length > 0 ? 'Take this size' : 'Change it'}
      </button>
    </form>
  )
}
