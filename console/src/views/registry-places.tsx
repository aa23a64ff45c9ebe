// The sections of the registry, and the field that opens a domain.

import { useSignal } from '@preact/signals'
import { Field } from '../parts/field.tsx'
import { go, hrefOf, path } from '../router.ts'
import { mayAct } from '../session.ts'

const PLACES = [
  ['/registry', 'References'],
  ['/registry/crawl', 'Crawl'],
  ['/registry/network', 'Network'],
  ['/registry/agent', 'Agent'],
  ['/registry/feed', 'Feed'],
  ['/registry/check', 'Check a file'],
] as const
const OF_OPERATORS = [['/registry/moderation', 'Moderation']] as const

export function RegistryPlaces() {
  return (
    <nav class="tabs" aria-label="Sections of the registry">
      {[...PLACES, ...(mayAct() ? OF_OPERATORS : [])].map(([place, text]) => (
        <a
          key={place}
          href={hrefOf(place)}
          aria-current={path.value === place ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}

/** Looks a domain up with the public lookup. */
export function LookUp() {
  const domain = useSignal('')
  return (
    <form
      class="lookup"
      onSubmit={(event) => {
        event.preventDefault()
        const text = domain.value.trim()
        if (text !== '') go(`/registry/${encodeURIComponent(text)}`)
      }}
    >
      <Field label="Look up a domain" value={domain} placeholder="acme.example" maxLength={253} />
      <button type="submit" class="button">
        Look up
      </button>
    </form>
  )
}
