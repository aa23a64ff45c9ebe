// One field of a form with its label, a hint, and its errors.

import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  value: Signal<string>
  hint?: string
  fault?: string | undefined
  /** `lines`: a field of several. */
  type?: 'text' | 'password' | 'url' | 'datetime-local' | 'lines'
  rows?: number
  maxLength?: number
  placeholder?: string
  autoComplete?: string
  required?: boolean
}

export function Field(props: FieldProps) {
  const { label, value, hint, fault, type = 'text', rows = 8, ...rest } = props
  const id = useId()
  const reported = hint !== undefined || fault !== undefined
  const shared = {
    id,
    class: 'input',
    value: value.value,
    spellcheck: false,
    'aria-invalid': fault !== undefined,
    ...(reported && { 'aria-describedby': `${id}-hint` }),
    ...rest,
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'lines' ? (
        <textarea
          {...shared}
          rows={rows}
          onInput={(event) => {
            value.value = event.currentTarget.value
          }}
        />
      ) : (
        <input
          {...shared}
          type={type as 'text'}
          onInput={(event) => {
            value.value = event.currentTarget.value
          }}
        />
      )}
      {reported && (
        <p id={`${id}-hint`} class={fault === undefined ? 'hint' : 'fault'}>
          {fault ?? hint}
        </p>
      )}
    </div>
  )
}
