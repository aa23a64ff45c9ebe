// `seed_creative`: adds to the caller's library, in the given status, whether or not its assets would pass a review.

import type { KindFormat } from '../creative/canonical/kind-format.ts'
import { inSlotWords } from '../creative/canonical/words.ts'
import { creativeBytes } from '../creative/library-quota.ts'
import type { CreativeStore } from '../creative/library-store.ts'
import { type FindFormat, formatKeyOf } from '../creative/manifest-check/find-format.ts'
import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import type { Assets } from '../protocol/schemas/assets.ts'
import { creativeStatus } from '../protocol/schemas/creative-library.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import type { ScenarioCall } from './scenario.ts'
import { type Fixture, invalidFixture, objectIn, type SeedKind, textIn } from './seeds.ts'

export interface SeedCreativePorts {
  library: CreativeStore
  findFormat: FindFormat
  /** The format of a creative that names a canonical kind. */
  kindFormat: KindFormat
  publicUrl: () => string
  /** Seeds the format of a creative if none has its id. Default none: then the creative is refused. */
  seedUnknown?: (
    tx: Transaction,
    creative: { formatId: FormatId; fixture: Fixture },
    call: ScenarioCall,
  ) => Promise<void>
}

const DEFAULT_FORMAT = 'display_300x250'

export function creativeSeed(ports: SeedCreativePorts): SeedKind {
  return {
    name: 'seed_creative',
    ids: ['creative_id'],
    put: async (tx, { ids: { creative_id = '' }, fixture }, { owner, call }) => {
      const { library, findFormat, seedUnknown } = ports
      const { format_id, format_kind } = formatIn(fixture, ports)
      await seedUnknown?.(tx, { formatId: format_id, fixture }, { owner, call })
      const found = findFormat(format_id, call.calledOn)
      if (!found.ok) throw invalidFixture([found.message])
      const status = creativeStatus.safeParse(fixture.status ?? 'approved')
      if (!status.success) throw invalidFixture(['status must be one of a creative'])
      const {
        name: _name,
        format_id: _format,
        format_kind: _kind,
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
        others: { ...others, ...defined({ format_kind }) },
        assets: inSlotWords(objectIn(fixture, 'assets'), found.format).assets as Assets,
      }
      const bytes = creativeBytes(content)
      await library.lock(tx, owner, [creative_id])
      await library.save(tx, owner, [{ creative_id, ...content, bytes }])
    },
  }
}

/** By its id, or by its kind: then the format that matches its assets. */
function formatIn(
  fixture: Fixture,
  { kindFormat, publicUrl }: SeedCreativePorts,
): { format_id: FormatId; format_kind?: string | undefined } {
  const format_kind = textIn(fixture, 'format_kind')
  if (format_kind !== undefined && fixture.format_id === undefined) {
    const format_id = kindFormat({ format_kind, assets: objectIn(fixture, 'assets') as Assets })
    if (format_id) return { format_id, format_kind }
    throw invalidFixture([`no format of the kind ${format_kind} fits these assets`])
  }
  const { id = DEFAULT_FORMAT, agent_url = publicUrl(), ...more } = objectIn(fixture, 'format_id')
  return { format_id: { agent_url: String(agent_url), id: String(id), ...more } }
}
