// A registry whose authorizations change, for those that follow it: rows and their events as the crawler writes them,
// without a crawl.

import type { Storage } from '../../src/app/open-storage.ts'
import {
  authorizationId,
  type NewAuthorization,
} from '../../src/registry/authorizations/authorization.ts'
import { authorizationEvent } from '../../src/registry/authorizations/events.ts'
import type { Dice } from './faults/random.ts'

type Row = NewAuthorization & { digest: string }
type Ports = Pick<Storage, 'transact' | 'publisherFiles' | 'authorizations' | 'feed'>

export interface SourceRegistry {
  /** Makes the given number of events, some in each transaction: grants, changes and revocations. */
  change(events: number): Promise<void>
}

const AT_ONCE = 500

export async function growSource(storage: Ports, dice: Dice): Promise<SourceRegistry> {
  const { transact, publisherFiles, authorizations, feed } = storage
  const file_id = await transact(async (tx) => {
    const file = await publisherFiles.begin(tx, 'https://net.example/.well-known/adagents.json')
    await publisherFiles.finish(tx, file, {
      etag: null,
      last_modified: null,
      digest: null,
      bytes: 0,
      property_count: 0,
      entry_count: 0,
      last_updated: null,
      contact: null,
      counts: { formats: 0, placements: 0, signals: 0, collections: 0 },
      faults: [],
      total_faults: 0,
      verified_at: 1,
      checked_at: 1,
    })
    return file.id
  })
  const live: Row[] = []
  let made = 0
  return {
    change: async (events) => {
      for (let left = events; left > 0; left -= AT_ONCE) {
        await transact(async (tx) => {
          const now = await tx.now()
          const put = new Map<string, Row>()
          const end = new Set<string>()
          const appended: Parameters<typeof feed.append>[1][number][] = []
          for (let n = 0; n < Math.min(AT_ONCE, left); n += 1) {
            const place = dice.below(Math.max(1, live.length))
            const some = live[place]
            if (some && dice.below(4) === 0) {
              const last = live.pop() as Row
              if (place < live.length) live[place] = last
              put.delete(some.id)
              end.add(some.id)
              const reason = 'no longer in the file'
              appended.push(authorizationEvent('revoked', some, { now, reason }))
              continue
            }
            const isChange = some !== undefined && dice.below(3) === 0
            const row = isChange ? changed(some, n) : rowOf(made++, file_id)
            live[isChange ? place : live.length] = row
            put.set(row.id, row)
            appended.push(authorizationEvent('granted', row, { now }))
          }
          await authorizations.put(tx, [...put.values()])
          await authorizations.end(tx, [...end], 'ended')
          await feed.append(tx, appended)
        })
      }
    },
  }
}

function changed(row: Row, n: number): Row {
  return { ...row, property_ids: [`p${n}`], digest: `changed ${n}` }
}

function rowOf(n: number, file_id: string): Row {
  const whose = {
    publisher_domain: `p${n}.example`,
    agent_url: `https://a${n % 7}.example/mcp`,
    authorization_type: 'property_ids',
  } as const
  return {
    ...whose,
    id: authorizationId(whose, 0),
    status: 'live',
    file_id,
    entry: 0,
    discovery_method: 'direct',
    manager_domain: null,
    property_ids: ['home'],
    properties_total: 1,
    terms: {
      authorized_for: 'display',
      countries: null,
      placement_ids: null,
      placement_tags: null,
      collections: null,
      delegation_type: null,
      exclusive: false,
      effective_from: null,
      effective_until: null,
      signing_keys: null,
    },
    digest: `new ${n}`,
  }
}
