// The two views about other agents.

import { hrefOf, path } from '../router.ts'

const VIEWS = [
  ['/agents', 'Try an agent'],
  ['/agents/doctor', 'Doctor'],
] as const

export function AgentsTabs() {
  return (
    <nav class="tabs" aria-label="Agents">
      {VIEWS.map(([to, title]) => (
        <a key={to} href={hrefOf(to)} aria-current={path.value === to ? 'true' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
