// Addresses of agents that a person has queried before, stored by the browser. Never a key, and no address with a
// query, which may contain one.

import { signal } from '@preact/signals'

const KEY = 'adwire-console-agents'
const MOST = 12

export const savedAgents = signal<readonly string[]>(stored())

export function saveAgent(url: string): void {
  if (!url.includes('?') && !url.includes('@')) keep([url, ...others(url)].slice(0, MOST))
}

export function forgetAgent(url: string): void {
  keep(others(url))
}

function others(url: string): string[] {
  return savedAgents.peek().filter((one) => one !== url)
}

function keep(urls: readonly string[]): void {
  savedAgents.value = urls
  try {
    localStorage.setItem(KEY, JSON.stringify(urls))
  } catch {
    // The browser stores nothing: the list lasts until the page is reloaded.
  }
}

function stored(): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    const urls = Array.isArray(value) ? value : []
    return urls.filter((one) => typeof one === 'string').slice(0, MOST)
  } catch {
    return []
  }
}
