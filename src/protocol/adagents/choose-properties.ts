// Which properties of one publisher an entry of a file selects. A publisher only gets the properties that name it as
// their publisher; ids, tags and agents of other publishers in the file do not apply to it.

import type { FileEntry, Selector } from './file-model.ts'

export interface ChoosableProperty {
  property_id: string
  property_type: string
  tags: string[]
  entry: number | null
}

/** An entry with searchable lists, prepared once for all publishers of a file. */
export interface CompiledEntry {
  entry: FileEntry
  selectors: CompiledSelector[]
}

interface CompiledSelector {
  by: Selector['by']
  domains: ReadonlySet<string> | null
  values: ReadonlySet<string>
  types: ReadonlySet<string> | null
}

export function compileEntry(entry: FileEntry): CompiledEntry {
  return {
    entry,
    selectors: entry.selectors.map(({ by, publisher_domains, values, property_types }) => ({
      by,
      domains: publisher_domains && new Set(publisher_domains),
      values: new Set(values),
      types: property_types && new Set(property_types),
    })),
  }
}

/** Distinct ids, in the order of the file. `properties` are those of the publisher. */
export function chosenIds(
  { entry, selectors }: CompiledEntry,
  publisher: string,
  properties: readonly ChoosableProperty[],
): string[] {
  const ofPublisher = selectors.filter(({ domains }) => domains === null || domains.has(publisher))
  if (ofPublisher.length === 0) return []
  const ids = new Set<string>()
  for (const property of properties) {
    const isChosen = ofPublisher.some((selector) => chooses(selector, property, entry.n))
    if (isChosen) ids.add(property.property_id)
  }
  return [...ids]
}

function chooses(
  { by, values, types }: CompiledSelector,
  { property_id, property_type, tags, entry }: ChoosableProperty,
  n: number,
): boolean {
  if (types !== null && !types.has(property_type)) return false
  // Properties that another entry defines belong only to that entry.
  if (entry !== null) return by === 'entry' && entry === n
  switch (by) {
    case 'all':
      return true
    case 'ids':
      return values.has(property_id)
    case 'tags':
      return tags.some((tag) => values.has(tag))
    default:
      return false
  }
}
