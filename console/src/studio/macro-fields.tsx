// Values of the macros that a format supports, to see how they are replaced.

import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Panel } from '../parts/panel.tsx'

interface Props {
  names: readonly string[]
  values: Signal<Readonly<Record<string, string>>>
}

export function MacroFields({ names, values }: Props) {
  const id = useId()
  if (names.length === 0) return null
  const set = Object.values(values.value).filter((value) => value !== '').length
  return (
    <Panel title="Macros" aside={set === 0 ? 'none has a value' : `${set} with a value`}>
      <details>
        <summary>Values substituted in the preview</summary>
        <div class="slot-members after-summary">
          {names.map((name) => (
            <div key={name} class="field">
              <label for={`${id}-${name}`}>
                <code>{name}</code>
              </label>
              <input
                id={`${id}-${name}`}
                class="input"
                maxLength={1_000}
                autoComplete="off"
                spellcheck={false}
                value={values.value[name] ?? ''}
                onInput={(event) => {
                  values.value = { ...values.value, [name]: event.currentTarget.value }
                }}
              />
            </div>
          ))}
        </div>
      </details>
    </Panel>
  )
}
