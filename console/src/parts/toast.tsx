// The outcome of an action, displayed once and read aloud.

import { signal } from '@preact/signals'
import { Icon } from './icon.tsx'

interface Toast {
  id: number
  text: string
  tone: 'good' | 'bad'
}

const toasts = signal<readonly Toast[]>([])
const SHOWN_MS = { good: 4_000, bad: 9_000 }
const MOST = 3
let last = 0

export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  last += 1
  const id = last
  toasts.value = [...toasts.value, { id, text, tone }].slice(-MOST)
  setTimeout(() => dismiss(id), SHOWN_MS[tone])
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, tone }) => (
        <div key={id} class={`toast ${tone}`}>
          <span>{text}</span>
          <button type="button" class="copy" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}

function dismiss(id: number) {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}
