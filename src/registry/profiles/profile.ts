// The inventory of an agent: what the publishers that authorize it state about the properties it may sell.

export interface InventoryProfile {
  channels: string[]
  property_types: string[]
  markets: string[]
  categories: string[]
  category_taxonomy: string | null
  tags: string[]
  delivery_types: string[]
  format_ids: string[]
  format_kinds: string[]
  property_count: number
  publisher_count: number
  has_tmp: boolean
}

export interface AgentProfile extends InventoryProfile {
  agent_url: string
  counts_by_type: Record<string, number>
  /** The first of the publishers. */
  publishers: string[]
  /** The part of its score that does not depend on the search, in millionths. */
  rank: number
  updated_at: number
}

/** The channel in which properties of a type appear. */
const CHANNELS: ReadonlyMap<string, string> = new Map([
  ['website', 'display'],
  ['desktop_app', 'display'],
  ['mobile_app', 'mobile'],
  ['ctv_app', 'ctv'],
  ['dooh', 'dooh'],
  ['podcast', 'audio'],
  ['radio', 'audio'],
  ['streaming_audio', 'audio'],
  ['linear_tv', 'linear_tv'],
])

/** The parts of a property that a profile counts. */
export interface SoldProperty {
  property_id: string
  property_type: string
  tags: string[]
}

const MOST_TAGS = 500
const MOST_PUBLISHERS = 100

/** Counts, publisher by publisher. Of lists without a limit, only the first entries are kept. */
export interface Inventory {
  publisherCount: number
  publishers: string[]
  types: Map<string, number>
  tags: Set<string>
  markets: Set<string>
  properties: number
}

export function emptyInventory(): Inventory {
  return {
    publisherCount: 0,
    publishers: [],
    types: new Map(),
    tags: new Set(),
    markets: new Set(),
    properties: 0,
  }
}

/** Adds one publisher, with the countries and the properties of all its authorizations. */
export function addPublisher(
  inventory: Inventory,
  domain: string,
  { countries, properties }: { countries: Iterable<string>; properties: Iterable<SoldProperty> },
): void {
  inventory.publisherCount += 1
  if (inventory.publishers.length < MOST_PUBLISHERS) inventory.publishers.push(domain)
  for (const country of countries) inventory.markets.add(country)
  for (const { property_type, tags } of properties) {
    inventory.properties += 1
    inventory.types.set(property_type, (inventory.types.get(property_type) ?? 0) + 1)
    for (const tag of tags) if (inventory.tags.size < MOST_TAGS) inventory.tags.add(tag)
  }
}

export function profileOf(agent_url: string, inventory: Inventory, now: number): AgentProfile {
  const { publisherCount, publishers, types, tags, markets, properties } = inventory
  const property_types = [...types.keys()].sort()
  return {
    agent_url,
    channels: sortedSet(property_types.flatMap((type) => CHANNELS.get(type) ?? [])),
    property_types,
    markets: sortedSet(markets),
    categories: [],
    category_taxonomy: null,
    tags: sortedSet(tags),
    delivery_types: [],
    format_ids: [],
    format_kinds: [],
    property_count: properties,
    publisher_count: publisherCount,
    has_tmp: false,
    counts_by_type: Object.fromEntries([...types].sort(([a], [b]) => (a < b ? -1 : 1))),
    publishers: sortedSet(publishers),
    rank: Math.round(0.1 * Math.log(properties + 1) * MILLION),
    updated_at: now,
  }
}

export const MILLION = 1_000_000

export function inventoryOf(profile: AgentProfile): InventoryProfile {
  const { agent_url: _url, counts_by_type: _types, publishers: _publishers, ...rest } = profile
  const { rank: _rank, updated_at: _updated, ...inventory } = rest
  return inventory
}

function sortedSet(values: Iterable<string>): string[] {
  return [...new Set(values)].sort()
}
