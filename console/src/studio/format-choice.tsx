// Which sizes of a family are built.

import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { FormatItem } from '../../../src/console/api/studio.ts'
import { Panel } from '../parts/panel.tsx'
import { changeQuery } from '../router.ts'
import { spaced } from '../words.ts'
import { Sketch, sizeText } from './sketch.tsx'

interface Props {
  family: string
  families: readonly { family: string; formats: number }[]
  formats: readonly FormatItem[]
  chosen: Signal<ReadonlySet<string>>
}

export function FormatChoice({ family, families, formats, chosen }: Props) {
  const id = useId()
  const all = new Set(formats.map((format) => format.id))
  const isAll = chosen.value.size === all.size
  const toggle = (format: string) => {
    const next = new Set(chosen.value)
    if (!next.delete(format)) next.add(format)
    chosen.value = next
  }
  return (
    <Panel
      title="Sizes"
      aside={
        <button
          type="button"
          class="link-button"
          onClick={() => {
            chosen.value = isAll ? new Set() : all
          }}
        >
          {isAll ? 'Choose none' : 'Choose all'}
        </button>
      }
    >
      <div class="stack">
        <div class="field">
          <label for={id}>Family</label>
          <select
            id={id}
            class="input"
            value={family}
            onChange={(event) => changeQuery({ family: event.currentTarget.value })}
          >
            {families.map((one) => (
              <option key={one.family} value={one.family}>
                {familyText(one.family)} ({one.formats})
              </option>
            ))}
          </select>
        </div>
        <ul class="sizes">
          {formats.map((format) => (
            <li key={format.id}>
              <label class="size-choice">
                <input
                  type="checkbox"
                  checked={chosen.value.has(format.id)}
                  onChange={() => toggle(format.id)}
                />
                <Sketch format={format} />
                <span class="small">
                  {sizeText(format)}
                  <span class="sr-only">, {format.name}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

/** `display_*_image_2x` is `display, image 2x`. */
function familyText(family: string): string {
  return spaced(family.replace('_*_', ', ').replace('_*', '').replace('*', ''))
}
