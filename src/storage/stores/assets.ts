// Built assets in SQL, one row for each digest.

import { createHash } from 'node:crypto'
import {
  type AssetMediaType,
  type AssetStore,
  MAX_ASSET_BYTES,
  type StoredAsset,
} from '../../creative/assets/asset-store.ts'
import { type Database, sqlOf } from '../sql/database.ts'

interface AssetRow {
  digest: string
  media_type: AssetMediaType
  bytes: Uint8Array
  created_at: number
  last_used_at: number
}

/** A sweep is one short transaction: the rows are large. */
const SWEPT_AT_ONCE = 50

export function createAssetStore(database: Database): AssetStore {
  return {
    put: async (tx, { bytes, media_type }) => {
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
      if (isKnown > 0) return digest
      await sqlOf(tx).run(
        `INSERT INTO creative_assets (digest, media_type, bytes, created_at, last_used_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (digest) DO UPDATE SET last_used_at = excluded.last_used_at`,
        [digest, media_type, bytes, now, now],
      )
      return digest
    },
    get: async (digest) => {
      const row = await database.read.get<AssetRow>(
        'SELECT * FROM creative_assets WHERE digest = $1',
        [digest],
      )
      return row && assetOf(row)
    },
    use: async (tx, digest) => {
      await sqlOf(tx).run('UPDATE creative_assets SET last_used_at = $2 WHERE digest = $1', [
        digest,
        await tx.now(),
      ])
    },
    sweep: (tx, before) =>
      sqlOf(tx).run(
        `DELETE FROM creative_assets WHERE digest IN (
           SELECT digest FROM creative_assets WHERE last_used_at < $1
           ORDER BY last_used_at LIMIT ${SWEPT_AT_ONCE}
         )`,
        [before],
      ),
  }
}

function assetOf({ bytes, ...row }: AssetRow): StoredAsset {
  return { ...row, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
}
