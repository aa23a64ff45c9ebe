// Light or dark: what the system prefers, until the person chooses.

import { effect, signal } from '@preact/signals'

type Theme = 'system' | 'light' | 'dark'

const KEY = 'adwire-console-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

const theme = signal<Theme>(stored())
const systemIsDark = signal(dark.matches)
dark.addEventListener('change', () => {
  systemIsDark.value = dark.matches
})

/** Whether dark colours are displayed; code that draws on a canvas redraws when this changes. */
export function isDark(): boolean {
  return theme.value === 'system' ? systemIsDark.value : theme.value === 'dark'
}

export function toggleTheme(): void {
  const next = isDark() ? 'light' : 'dark'
  theme.value = next === (systemIsDark.value ? 'dark' : 'light') ? 'system' : next
  try {
    if (theme.value === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme.value)
  } catch {
    // The browser stores nothing: the choice lasts until the page is reloaded.
  }
}

effect(() => {
  document.documentElement.dataset.theme = theme.value
})

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    return 'system'
  }
}
