// build_creative on a database of its own, with a server for pictures and brands that may be reached,
// and another that may not.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { type BuildCreativePorts, buildCreative } from '../../../src/creative/build-creative.ts'
import { createEgress } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import type { Asset } from '../../../src/protocol/schemas/assets.ts'
import {
  type BuildCreativeRequest,
  type BuildCreativeResponse,
  buildCreativeResponse,
} from '../../../src/protocol/schemas/build-creative.ts'
import { createAssetStore } from '../../../src/storage/stores/creatives/assets.ts'
import { createTaskStore } from '../../../src/storage/stores/tasks/tasks.ts'
import { createTaskEngine } from '../../../src/tasks/task-engine.ts'
import { catalogue, inProcessWorkerPool } from '../../support/creative.ts'
import { testDatabase } from '../../support/databases.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { callBy, recordingEvents } from '../../tasks/task-harness.ts'

export const AGENT = 'https://ads.example'
export const formatId = (id: string, more = {}) => ({ agent_url: AGENT, id, ...more })

export interface FileServer {
  url: string
  files: Map<string, { body: Buffer | string; type?: string; status?: number; location?: string }>
  requested: string[]
  stop(): Promise<void>
}

export async function startFiles(host: string): Promise<FileServer> {
  const files: FileServer['files'] = new Map()
  const requested: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requested.push(path)
    const file = files.get(path)
    response.writeHead(file ? (file.status ?? 200) : 404, {
      'content-type': file?.type ?? 'application/octet-stream',
      ...(file?.location ? { location: file.location } : {}),
    })
    response.end(file?.body ?? 'nothing here')
  })
  server.listen(0, host)
  await once(server, 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    files,
    requested,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export async function buildHarness(over: Partial<BuildCreativePorts> = {}) {
  const clock = fakeClock()
  const { database, drop } = await testDatabase('sqlite', { clock })
  const files = await startFiles('127.0.0.1')
  const canary = await startFiles('127.0.0.2')
  const egress = createEgress({ allow: ['127.0.0.1/32'], allowHttp: true })
  const tasks = createTaskStore(database)
  const recorded = recordingEvents()
  const faults: unknown[] = []
  const assets = createAssetStore(database)
  const engine = createTaskEngine({
    transact: database.transact,
    onWake: database.onWake,
    tasks,
    events: recorded.events,
    clock,
    pollMs: 20,
    backoff: { firstMs: 1, maxMs: 1 },
    onFault: (error) => faults.push(error),
  })
  const ports: BuildCreativePorts = {
    catalogue: catalogue(),
    publicUrl: () => AGENT,
    ownAgentUrls: [],
    egress,
    lookupBrand: async () => undefined,
    assets,
    clock,
    workerPool: inProcessWorkerPool(),
    ...over,
  }
  const task = buildCreative(ports, engine, { inlineWaitMs: 60_000 })
  engine.runner.start()
  return {
    database,
    clock,
    files,
    canary,
    recorded,
    faults,
    assets,
    tasks,
    task,
    /** Runs to the end; throws the refusal. The answer is checked against its schema. */
    build: async (request: object): Promise<BuildCreativeResponse> => {
      const answer = await task.handle(request as BuildCreativeRequest, callBy('alice'))
      return buildCreativeResponse.parse(answer)
    },
    handle: (request: object) => task.handle(request as BuildCreativeRequest, callBy('alice')),
    /** The bytes behind an asset of an answer. */
    bytesOf: async (asset: unknown): Promise<Buffer> => {
      const [, digest = ''] =
        /\/assets\/([0-9a-f]{64})\.\w+$/.exec((asset as Asset).url ?? '') ?? []
      const stored = await assets.get(digest)
      if (!stored) throw new Error(`no asset at ${(asset as Asset).url}`)
      return Buffer.from(stored.bytes)
    },
    storedAssets: async () => {
      const row = await database.read.get<{ count: number }>(
        'SELECT count(*) AS count FROM creative_assets',
      )
      return Number(row?.count)
    },
    close: async () => {
      await engine.runner.stop()
      await egress.close()
      await files.stop()
      await canary.stop()
      await drop()
    },
  }
}

export type BuildHarness = Awaited<ReturnType<typeof buildHarness>>

/** The code, field and message of a refusal. */
export async function refusalOf(promise: Promise<unknown>) {
  try {
    await promise
  } catch (error) {
    const [first] = (
      error as { errors?: readonly { code: string; message: string; field?: string }[] }
    ).errors ?? [{ code: 'thrown', message: String(error) }]
    return { code: first?.code, message: first?.message ?? '', field: first?.field }
  }
  return { code: 'none', message: '', field: undefined }
}

/** How many pixels have about this colour. */
export async function countColour(image: Buffer, hex: string): Promise<number> {
  const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const { data, info } = await sharp(image)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  let count = 0
  for (let at = 0; at < data.length; at += info.channels) {
    const isNear = wanted.every(
      (value, channel) => Math.abs((data[at + channel] ?? 0) - value) <= 12,
    )
    if (isNear) count++
  }
  return count
}

export const PURPLE = '#7b2ff7'
/** The seed's example of pure generation. */
export const seedRequest = (id: string, more: object = {}) => ({
  message: 'Create a banner for our winter sale. Mention free shipping.',
  creative_manifest: {
    format_id: formatId(id),
    assets: {
      promoted_offerings: {
        asset_type: 'promoted_offerings',
        brand_manifest: {
          url: 'https://acme.example',
          name: 'Acme Shoes',
          colors: { primary: PURPLE, secondary: '#ffd166' },
        },
        inline_offerings: [{ name: 'Winter Sale', description: 'Up to 50% off all boots' }],
      },
    },
  },
  target_format_id: formatId(id),
  ...more,
})

export const assetsOf = (answer: { creative_manifest?: { assets: object } | undefined }) =>
  answer.creative_manifest?.assets as Record<string, Asset>
export const imageOf = (answer: Parameters<typeof assetsOf>[0]) =>
  assetsOf(answer).banner_image as Asset
