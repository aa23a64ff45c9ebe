// The keyboard: `/` searches, j and k walk a list, g and a letter go to a view, ? lists all shortcuts.

import { signal } from '@preact/signals'
import { go } from './router.ts'
import { NAVIGATION } from './routes.ts'
import { session } from './session.ts'

export const isHelpOpen = signal(false)

const GO_WITHIN_MS = 1_500
let goUntil = 0

addEventListener('keydown', (event) => {
  if (!session.peek() || event.defaultPrevented) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const target = event.target as HTMLElement
  if (target.closest('input, textarea, select, [contenteditable], dialog[open]')) return
  if (act(event.key)) event.preventDefault()
})

function act(key: string): boolean {
  if (performance.now() < goUntil) {
    goUntil = 0
    const place = NAVIGATION.find(({ letter }) => letter === key)
    if (place) go(place.path)
    return place !== undefined
  }
  switch (key) {
    case 'g':
      goUntil = performance.now() + GO_WITHIN_MS
      return true
    case '/':
      return focusOn(document.querySelector<HTMLInputElement>('main [data-search]'))
    case 'j':
      return walk(1)
    case 'k':
      return walk(-1)
    case '?':
      isHelpOpen.value = true
      return true
    default:
      return false
  }
}

function walk(step: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('main a.open')]
  const here = links.indexOf(document.activeElement as HTMLElement)
  return focusOn(links[here === -1 ? (step === 1 ? 0 : links.length - 1) : here + step])
}

function focusOn(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  element?.scrollIntoView({ block: 'nearest' })
  return element != null
}
