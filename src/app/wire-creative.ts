// The creative agent: one catalogue for listing, building, previewing and checking, the library, and the pages and
// files that its answers refer to.

import { authenticatePrincipal, bearerKey, goodPrincipals } from '../agent/principals.ts'
import { ASSET_RETENTION_MS, readAssetName } from '../creative/assets/asset-store.ts'
import { type BuildCreativePorts, buildCreative } from '../creative/build-creative.ts'
import { type CreativeCapabilities, capabilitiesOf } from '../creative/canonical/capabilities.ts'
import { type FindFormatOption, formatOptions } from '../creative/canonical/format-options.ts'
import { type KindFormat, kindFormats } from '../creative/canonical/kind-format.ts'
import { DIRECTIONS } from '../creative/directions/direction.ts'
import type { FormatCatalogue } from '../creative/format-catalogue.ts'
import { createCreativeWorkerPool } from '../creative/jobs/creative-worker-pool.ts'
import { MAX_BUILT_VARIANTS } from '../creative/limits.ts'
import { listCreativeFormats } from '../creative/list-creative-formats.ts'
import { listCreatives } from '../creative/list-creatives.ts'
import type { FindFormat } from '../creative/manifest-check/find-format.ts'
import type { Generator } from '../creative/model/generator.ts'
import { createOpenAiGenerator } from '../creative/model/openai-generator.ts'
import { previewCreative } from '../creative/preview-creative.ts'
import { createMakePreviews } from '../creative/rendering/make-previews.ts'
import { showPreview } from '../creative/rendering/show-preview.ts'
import { createDrawStills } from '../creative/stills/draw-stills.ts'
import { type SyncCreativesPorts, syncCreatives } from '../creative/sync-creatives.ts'
import { validateInput } from '../creative/validate-input.ts'
import { sweepFilmFolders } from '../creative/video/film-folders.ts'
import { mostOfOwner } from '../lib/worker-pool/slot-rules.ts'
import type { AddCreatives } from '../media-buys/inline-creatives.ts'
import { agentUrls } from '../protocol/agent-url.ts'
import type { CreativeManifest } from '../protocol/schemas/creative-manifest.ts'
import type { SyncCreativesRequest } from '../protocol/schemas/sync-creatives.ts'
import type { AnyTask } from '../protocol/task.ts'
import { findBrand } from '../registry/find-brand.ts'
import { assetRoutes } from '../transports/http/asset-routes.ts'
import { previewRoutes } from '../transports/http/preview-routes.ts'
import { checkFonts, fontsDirOf } from './check-fonts.ts'
import { catalogueOf } from './load-formats.ts'
import { careForGenerator } from './own-generator.ts'
import type { Area, Parts } from './parts.ts'
import { quotaLimits } from './quota-settings.ts'
import { callersReader } from './read-manifests.ts'
import type { TaskArea } from './wire-tasks.ts'

export interface CreativeArea extends Area {
  tasks: readonly AnyTask[]
  /** Adds creatives to the caller's library, all or none. */
  addCreatives: AddCreatives
  findFormat: FindFormat
  /** What it can do besides its tasks, for get_agent_capabilities. */
  features: Readonly<Record<string, unknown>>
  /** The format of a creative that gives a canonical kind. */
  kindFormat: KindFormat
  /** A format of a product by its canonical kind. */
  formatOption: FindFormatOption
  /** Its formats by their canonical kinds. */
  formats(): ReturnType<CreativeCapabilities['declared']>
}

const SWEEP_MS = 10 * 60 * 1_000

export function wireCreative(
  parts: Parts,
  { engine }: TaskArea,
  { onAssigned }: { onAssigned: NonNullable<SyncCreativesPorts['onAssigned']> },
): CreativeArea {
  const { config, clock, storage, egress, publicUrl, onFault } = parts
  const { transact, previews, assets, creatives: library } = storage
  const principals = goodPrincipals(storage.principals, config)
  const loaded = catalogueOf(parts)
  const catalogue = parts.sandbox?.formats.over(loaded) ?? loaded
  const findFormat = formatFinder(catalogue, parts)
  const fontsDir = fontsDirOf(config)
  const onRefusedSvg = parts.metrics.svgRefused
  const workerPool = createCreativeWorkerPool(parts.workerPool, { fontsDir, onRefusedSvg })
  checkFonts(fontsDir, workerPool, parts.log)
  const common = { catalogue, publicUrl, ownAgentUrls: config.formatAgentUrls, workerPool }
  // One call is split among the processes that one owner may use.
  const workers = mostOfOwner(config.workerPoolProcesses)
  const drawStills =
    parts.stills &&
    createDrawStills({ browser: parts.stills, egress, ownAsset: (url) => ownAsset(url, parts) })
  const makePreviews = createMakePreviews({
    ...common,
    previews,
    egress,
    workers,
    onFault,
    drawStills,
  })
  const build = buildTask(parts, engine, {
    ...common,
    makePreviews,
    hasStills: drawStills !== undefined,
  })
  const kindFormat = kindFormats(catalogue, publicUrl)
  const sync = syncCreatives({
    findFormat,
    kindFormat,
    library,
    transact,
    workerPool,
    onAssigned,
    limits: quotaLimits(config),
  })
  return {
    findFormat,
    kindFormat,
    formatOption: formatOptions(catalogue, { findFormat, publicUrl }),
    addCreatives: async (creatives, call) => {
      await sync.handle({ creatives } as SyncCreativesRequest, call)
    },
    tasks: [
      listCreativeFormats({ ...common, creativeAgents: config.creativeAgents }),
      build,
      previewCreative({ ...common, makePreviews, transact }),
      validateInput({ catalogue, findFormat, publicUrl, workerPool }),
      sync,
      listCreatives({ findFormat, library }),
    ],
    formats: () => capabilitiesOf(catalogue).declared(publicUrl()),
    features: featuresOf({ hasStills: drawStills !== undefined }),
    routes: [
      previewRoutes(showPreview({ previews, workerPool }), {
        principalOf: async (authorization) => {
          const key = bearerKey(authorization)
          return key === undefined ? undefined : authenticatePrincipal(principals, key)
        },
      }),
      assetRoutes({ assets, transact, clock, onFault }),
    ],
    workers: [sweeper(parts), { start: () => void sweepFilmFolders(parts), stop: async () => {} }],
  }
}

function featuresOf({ hasStills }: { hasStills: boolean }): CreativeArea['features'] {
  return {
    multiplicity: {
      supports_catalog_fanout: false,
      supports_variants: true,
      max_variants_limit: MAX_BUILT_VARIANTS,
      variant_dimensions: ['theme', 'best_of_n'],
    },
    preview_output_formats: ['url', 'html', 'both', ...(hasStills ? ['image'] : [])],
    ext: { adwire: { directions: DIRECTIONS } },
  }
}

/** What a build shares with the other tasks. */
type SharedPorts = Pick<
  BuildCreativePorts,
  'catalogue' | 'publicUrl' | 'ownAgentUrls' | 'workerPool' | 'makePreviews' | 'hasStills'
>

function buildTask(parts: Parts, engine: TaskArea['engine'], shared: SharedPorts) {
  const { config, clock, storage, egress, onFault } = parts
  const brands = brandPorts(parts)
  return buildCreative(
    {
      ...shared,
      egress,
      isBrandRequired: config.requireBrand,
      lookupBrand: (domain, by) =>
        findBrand(
          domain,
          { ...brands, readManifest: callersReader(parts.workerPool, by) },
          by.signal,
        ),
      assets: storage.assets,
      clock,
      generator: generatorOf(parts),
      encoder: parts.encoder,
      videoTimeoutMs: config.videoSeconds * 1_000,
      onFault,
      findCreative: (owner, creativeId) => libraryManifest(storage, owner, creativeId),
    },
    engine,
    { inlineWaitMs: Math.min(config.inlineWaitMs, config.callTimeoutSeconds * 500) },
  )
}

/** A creative of the library, as a manifest to build from. */
async function libraryManifest(
  { transact, creatives }: Parts['storage'],
  owner: string,
  creativeId: string,
): Promise<CreativeManifest | undefined> {
  const found = await transact((tx) => creatives.lock(tx, owner, [creativeId]))
  const creative = found.get(creativeId)
  if (!creative) return undefined
  const { brand, promoted_offering, rights, provenance } = creative.others
  const reported = {
    brand,
    promoted_offering,
    rights,
    provenance,
  } as Partial<CreativeManifest>
  return { ...reported, format_id: creative.format_id, assets: creative.assets }
}

/** Read from the store: a server may be unable to send requests to itself. */
async function ownAsset(url: string, { publicUrl, storage }: Parts) {
  const base = `${publicUrl()}/assets/`
  const named = url.startsWith(base) ? readAssetName(url.slice(base.length)) : undefined
  const found = named && (await storage.assets.get(named.digest))
  return found && { mediaType: found.media_type, bytes: found.bytes }
}

function formatFinder(catalogue: FormatCatalogue, { config, publicUrl }: Parts): FindFormat {
  const names = { publicUrl, ownAgentUrls: config.formatAgentUrls }
  return (formatId, calledOn) => catalogue.find(formatId, agentUrls(names, calledOn))
}

function brandPorts({ config, storage, egress }: Parts) {
  const { references, brands } = storage
  return {
    references,
    brands,
    fetch: egress.fetch,
    allowHttp: config.egressAllowHttp,
    maxManifestBytes: config.registryManifestBytes,
  }
}

function generatorOf({ config, log, generator }: Parts): Generator | undefined {
  const { llmUrl, llmKey, llmModel, imageModel } = config
  if (generator) {
    const onFault = (error: unknown) => log.warn({ err: error }, 'the generator gave nothing')
    return careForGenerator(generator, { onFault })
  }
  if (llmUrl === undefined) return undefined
  return createOpenAiGenerator({
    url: llmUrl,
    key: llmKey,
    textModel: llmModel,
    imageModel,
    onFault: (error) => log.warn({ err: error }, 'the model server gave nothing'),
  })
}

function sweeper({ storage: { transact, previews, assets }, sweep }: Parts) {
  return sweep({
    name: 'worker: delete previews and files of builds that are over',
    intervalMs: SWEEP_MS,
    sweep: async (now) => {
      const pages = await transact(previews.sweep)
      const files = await transact((tx) => assets.sweep(tx, now - ASSET_RETENTION_MS))
      return pages + files > 0
    },
  })
}
