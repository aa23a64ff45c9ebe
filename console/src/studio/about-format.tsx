// Describes a format; for viewers, also its parts.

import type { FormatDetails } from '../../../src/console/api/studio.ts'
import { Id } from '../parts/copy.tsx'
import { Json } from '../parts/json.tsx'
import { Facts, Panel } from '../parts/panel.tsx'
import { hrefOf } from '../router.ts'
import { spaced } from '../words.ts'
import { Sketch, sizeText } from './sketch.tsx'
import { requestOf } from './slot-members.ts'

export function AboutFormat({ format }: { format: FormatDetails }) {
  const { id, type, family } = format
  const sizes = hrefOf(`/studio?${new URLSearchParams({ family })}`)
  return (
    <Panel title="About">
      <div class="stack">
        <div class="about-format">
          <Sketch format={format} />
          <Facts
            of={[
              ['Format id', <Id key="id" text={id} what="format id" wraps />],
              ['Type', spaced(type)],
              ['Size', sizeText(format)],
              ['Other sizes', family !== id && <a href={sizes}>All of its family</a>],
            ]}
          />
        </div>
        <details>
          <summary>As returned by list_creative_formats</summary>
          <div class="after-summary">
            <Json value={format.format} what="definition" />
          </div>
        </details>
      </div>
    </Panel>
  )
}

export function MadeOf({ slots }: Pick<FormatDetails, 'slots'>) {
  return (
    <Panel title="Made of">
      <ul class="stack tight">
        {slots.map((slot) => (
          <li key={slot.name}>
            <b>{spaced(slot.name)}</b> {!slot.required && <span class="faint">(optional)</span>}
            <p class="small faint wrap-anywhere">
              {[spaced(slot.asset_type), requestOf(slot)].filter(Boolean).join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
