// A choice of several among a few options: checkboxes under one label.

import type { Signal } from '@preact/signals'

interface Props<Value extends string> {
  label: string
  options: readonly (readonly [value: Value, text: string, about?: string])[]
  chosen: Signal<readonly Value[]>
}

export function Checks<Value extends string>({ label, options, chosen }: Props<Value>) {
  const toggle = (value: Value, isOn: boolean) => {
    const others = chosen.peek().filter((one) => one !== value)
    chosen.value = isOn ? [...others, value] : others
  }
  return (
    <fieldset class="checks">
      <legend>{label}</legend>
      {options.map(([value, text, about]) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen.value.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
          <span>
            {text}
            {about !== undefined && <span class="faint small"> {about}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
