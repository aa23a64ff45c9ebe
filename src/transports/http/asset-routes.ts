// `GET /assets/{digest}.{ext}`: the results of builds (spec 4.2). An address identifies its content, so it may be
// cached forever; any other address is not found.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type AssetStore, readAssetName } from '../../creative/assets/asset-store.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Transact } from '../../lib/transaction.ts'
import { byteRange } from './byte-range.ts'
import { sendFault } from './errors.ts'
import { unchecked } from './unchecked.ts'

export interface AssetRoutePorts {
  assets: Pick<AssetStore, 'head' | 'get' | 'use'>
  transact: Transact
  clock: Clock
  /** Called when a use could not be recorded; the asset was served anyway. */
  onFault: (error: unknown) => void
}

const YEAR_SECONDS = 365 * 24 * 60 * 60
/** A use is recorded at most once a day: serving should not write. */
const NOTED_EVERY_MS = 24 * 60 * 60 * 1_000

export function assetRoutes({ assets, transact, clock, onFault }: AssetRoutePorts) {
  return (app: FastifyInstance): void => {
    app.get(
      '/assets/:name',
      {
        validatorCompiler: unchecked,
        schema: {
          operationId: 'getAsset',
          summary: 'An asset that build_creative made',
          tags: ['Creative'],
          params: z.object({ name: z.string().describe('Digest and file type.') }),
        },
        config: { quiet: true },
      },
      async (request, reply) => {
        const named = readAssetName((request.params as { name: string }).name)
        const etag = named && `"${named.digest}"`
        reply.header('x-content-type-options', 'nosniff')
        reply.header('content-security-policy', "default-src 'none'; sandbox")
        const head = named && (await assets.head(named.digest))
        if (!head || head.media_type !== named.media_type) return sendFault(reply, NONE)
        if (clock.now() - head.last_used_at > NOTED_EVERY_MS) {
          await transact((tx) => assets.use(tx, head.digest)).catch(onFault)
        }
        const isHeld = request.headers['if-none-match']?.includes(etag as string) ?? false
        // The whole file is read, even if only a part was requested.
        const full = isHeld ? undefined : request.hold?.resize(request, head.size)
        if (full) throw full
        reply
          .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
          .header('etag', etag)
          .header('access-control-allow-origin', '*')
          .header('cross-origin-resource-policy', 'cross-origin')
        if (isHeld) return reply.code(304).send()
        const asset = await assets.get(head.digest)
        if (!asset) return sendFault(reply.removeHeader('cache-control'), NONE)
        const { buffer, byteOffset, byteLength } = asset.bytes
        const bytes = Buffer.from(buffer, byteOffset, byteLength)
        return sendPart(reply.type(asset.media_type), bytes, request.headers)
      },
    )
  }
}

const NONE = { status: 404, error: 'no asset with this address' }

/** The bytes never change, so `If-Range` can only name the existing file, or none of our files. */
function sendPart(reply: FastifyReply, bytes: Buffer, headers: FastifyRequest['headers']) {
  const condition = headers['if-range']
  const isMeant = condition === undefined || condition === reply.getHeader('etag')
  const range = byteRange(isMeant ? headers.range : undefined, bytes.byteLength)
  reply.header('accept-ranges', 'bytes')
  if (range === 'whole') return reply.send(bytes)
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${bytes.byteLength}`).send()
  }
  const { start, end } = range
  return (
    reply
      .code(206)
      .header('content-range', `bytes ${start}-${end - 1}/${bytes.byteLength}`)
      // A copy, because a slice would keep the whole file in memory until it is sent.
      .send(Buffer.from(bytes.subarray(start, end)))
  )
}
