// The places of the studio.

import { hrefOf, path } from '../router.ts'

const PLACES = [
  ['/studio', 'Formats'],
  ['/studio/campaign', 'Campaign'],
  ['/studio/library', 'Library'],
] as const

export function StudioTabs() {
  return (
    <nav class="tabs" aria-label="Sections of the studio">
      {PLACES.map(([place, title]) => (
        <a
          key={place}
          href={hrefOf(place)}
          aria-current={path.value === place ? 'true' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}
