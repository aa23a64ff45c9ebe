// A sequence of events, oldest first unless specified otherwise.

import type { ComponentChildren } from 'preact'
import type { Tone } from './badge.tsx'
import { Time } from './time.tsx'

export interface Moment {
  key: string
  tone: Tone | 'future'
  title: ComponentChildren
  at?: string | undefined
  /** Beside the title, small. */
  aside?: ComponentChildren
  children?: ComponentChildren
}

export function Timeline({ label, moments }: { label: string; moments: readonly Moment[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {moments.map(({ key, tone, title, at, aside, children }) => (
        <li key={key} class={tone}>
          <div class="head">
            <b>{title}</b>
            {aside}
            {at !== undefined && (
              <span class="when">
                <Time at={at} as="full" />
              </span>
            )}
          </div>
          {children}
        </li>
      ))}
    </ol>
  )
}
