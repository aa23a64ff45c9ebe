// `seed_creative`: into the caller's library, in the status that is given, whether its assets would pass a review or not.

import { creativeBytes } from '../creative/library-quota.ts'
import type { CreativeStore } from '../creative/library-store.ts'
import { type FindFormat, formatKeyOf } from '../creative/manifest-check/find-format.ts'
import type { Assets } from '../protocol/schemas/assets.ts'
import { creativeStatus } from '../protocol/schemas/creative-library.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import { type Fixture, invalidFixture, objectIn, type SeedKind, textIn } from './seeds.ts'

export interface SeedCreativePorts {
  library: CreativeStore
  findFormat: FindFormat
  publicUrl: () => string
}

const DEFAULT_FORMAT = 'display_300x250'

export function creativeSeed({ library, findFormat, publicUrl }: SeedCreativePorts): SeedKind {
  return {
    name: 'seed_creative',
    ids: ['creative_id'],
    put: async (tx, { ids: { creative_id = '' }, fixture }, { owner, call }) => {
      const format_id = formatIn(fixture, publicUrl())
      const found = findFormat(format_id, call.calledOn)
      if (!found.ok) throw invalidFixture([found.message])
      const status = creativeStatus.safeParse(fixture.status ?? 'approved')
      if (!status.success) throw invalidFixture(['status must be one of a creative'])
      const {
        name: _name,
        format_id: _format,
        assets: _assets,
        status: _status,
        ...others
      } = fixture
      const content = {
        name: textIn(fixture, 'name') ?? creative_id,
        format_id,
        status: status.data,
        formatKey: formatKeyOf(found.format),
        tags: [],
        others,
        assets: objectIn(fixture, 'assets') as Assets,
      }
      const bytes = creativeBytes(content)
      await library.lock(tx, owner, [creative_id])
      await library.save(tx, owner, [{ creative_id, ...content, bytes }])
    },
  }
}

function formatIn(fixture: Fixture, agentUrl: string): FormatId {
  const { id = DEFAULT_FORMAT, agent_url = agentUrl, ...more } = objectIn(fixture, 'format_id')
  return { agent_url: String(agent_url), id: String(id), ...more }
}
