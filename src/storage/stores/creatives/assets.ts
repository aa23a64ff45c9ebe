// Built assets in SQL, one row for each digest.

import { createHash } from 'node:crypto'
import {
  type AssetHead,
  type AssetMediaType,
  type AssetStore,
  MAX_ASSET_BYTES,
  type StoredAsset,
} from '../../../creative/assets/asset-store.ts'
import { NO_LIMITS, type QuotaLimits, quotaExceeded } from '../../../protocol/quota.ts'
import { BYTE_LENGTH } from '../../sql/conditions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { SKIP_LOCKED } from '../../sql/locks.ts'
import { charge, credit, usedOf } from '../organizations/quota-usage.ts'

interface AssetRow {
  digest: string
  media_type: AssetMediaType
  bytes: Uint8Array
  created_at: number
  last_used_at: number
}

/** A sweep is one short transaction: the rows are large. */
const SWEPT_AT_ONCE = 50

export function createAssetStore(
  database: Database,
  { built_bytes: limit }: Pick<QuotaLimits, 'built_bytes'> = NO_LIMITS,
): AssetStore {
  return {
    put: async (tx, { bytes, media_type }, owner) => {
      if (bytes.byteLength > MAX_ASSET_BYTES) {
        throw new RangeError(`an asset has at most ${MAX_ASSET_BYTES} bytes`)
      }
      const digest = createHash('sha256').update(bytes).digest('hex')
      const now = await tx.now()
      // The bytes are sent only when they are new: most builds are repetitions.
      const isKnown = await sqlOf(tx).run(
        'UPDATE creative_assets SET last_used_at = $2 WHERE digest = $1',
        [digest, now],
      )
      if (isKnown === 0) {
        await sqlOf(tx).run(
          `INSERT INTO creative_assets (digest, media_type, bytes, created_at, last_used_at)
           VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (digest) DO UPDATE SET last_used_at = excluded.last_used_at`,
          [digest, media_type, bytes, now, now],
        )
      }
      // Counts once for each owner, however often it is built.
      const isTheirs = await sqlOf(tx).run(
        `INSERT INTO creative_asset_owners (digest, owner, bytes) VALUES ($1, $2, $3)
         ON CONFLICT (digest, owner) DO NOTHING`,
        [digest, owner, bytes.byteLength],
      )
      const counted = { owner, quota: 'built_bytes', amount: bytes.byteLength, limit } as const
      if (isTheirs > 0) await charge({ tx: sqlOf(tx) }, counted)
      return digest
    },
    refuseFull: async (owner) => {
      const used = await usedOf(database.read, { owner, quota: 'built_bytes' })
      if (used >= limit) throw quotaExceeded('built_bytes', { limit, used })
    },
    get: async (digest) => {
      const row = await database.read.get<AssetRow>(
        'SELECT * FROM creative_assets WHERE digest = $1',
        [digest],
      )
      return row && assetOf(row)
    },
    head: (digest) =>
      database.read.get<AssetHead>(
        `SELECT digest, media_type, last_used_at,
           ${BYTE_LENGTH}(bytes) AS size
         FROM creative_assets WHERE digest = $1`,
        [digest],
      ),
    use: async (tx, digest) => {
      await sqlOf(tx).run('UPDATE creative_assets SET last_used_at = $2 WHERE digest = $1', [
        digest,
        await tx.now(),
      ])
    },
    sweep: async (tx, before) => {
      const swept = await sqlOf(tx).all<{ digest: string }>(
        `DELETE FROM creative_assets WHERE digest IN (
           SELECT digest FROM creative_assets WHERE last_used_at < $1
           ORDER BY last_used_at LIMIT ${SWEPT_AT_ONCE} ${SKIP_LOCKED}
         ) RETURNING digest`,
        [before],
      )
      const freed = await sqlOf(tx).all<{ owner: string; amount: number }>(
        `DELETE FROM creative_asset_owners WHERE ${isIn('digest', 1)}
         RETURNING owner, bytes AS amount`,
        [listed(swept.map(({ digest }) => digest))],
      )
      await credit({ tx: sqlOf(tx) }, 'built_bytes', freed)
      return swept.length
    },
  }
}

function assetOf({ bytes, ...row }: AssetRow): StoredAsset {
  return { ...row, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
}
