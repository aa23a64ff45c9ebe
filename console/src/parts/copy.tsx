// Text to copy: an id as it is displayed, with a button next to it.

import { useSignal } from '@preact/signals'
import { Icon } from './icon.tsx'
import { toast } from './toast.tsx'

interface Props {
  text: string
  /** What is copied, for screen readers: `delivery id`. */
  what: string
}

export function CopyButton({ text, what }: Props) {
  const isDone = useSignal(false)
  const copy = async () => {
    if (!(await copyText(text))) {
      toast(`The browser did not let the ${what} be copied.`, 'bad')
      return
    }
    isDone.value = true
    toast(`Copied the ${what}.`)
    setTimeout(() => {
      isDone.value = false
    }, 1_500)
  }
  return (
    <button
      type="button"
      class={isDone.value ? 'copy done' : 'copy'}
      aria-label={`Copy the ${what}`}
      title={`Copy the ${what}`}
      onClick={copy}
    >
      <Icon name={isDone.value ? 'check' : 'copy'} />
    </button>
  )
}

/** An id that can be copied. `wraps`: displayed in full, on more lines if need be. */
export function Id({ text, what, wraps = false }: Props & { wraps?: boolean }) {
  return (
    <span class={wraps ? 'copyable wraps' : 'copyable'}>
      <code title={text}>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}

/** False if the browser refuses, as it does for a page loaded over plain HTTP from another machine. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'sr-only'
  const focused = document.activeElement as HTMLElement | null
  document.body.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  focused?.focus()
  return isDone
}
