// One field of a form that is a choice among a few options.

import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'

interface Props {
  label: string
  value: Signal<string>
  options: readonly (readonly [value: string, text: string])[]
  hint?: string
  onChoose?(value: string): void
}

export function SelectField({ label, value, options, hint, onChoose }: Props) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value.value}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={(event) => {
          value.value = event.currentTarget.value
          onChoose?.(value.value)
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
