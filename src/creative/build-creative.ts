// `build_creative`: a creative generated from a brand, its offerings and a message, or an existing one
// brought into another format (spec 4.2). It runs as steps; nothing is stored before all of it is made
// and checked, and then everything at once.

import type { Clock } from '../lib/clock.ts'
import { createRecentCache } from '../lib/recent-cache.ts'
import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError, taskError } from '../protocol/errors.ts'
import {
  type BuildCreativeRequest,
  type BuildCreativeResponse,
  buildCreativeRequest,
  buildCreativeResponse,
} from '../protocol/schemas/build-creative.ts'
import type { CreativeManifest } from '../protocol/schemas/creative-manifest.ts'
import type { Format } from '../protocol/schemas/format.ts'
import {
  buildCreativeRequires,
  formatIdRefusal,
  NEWER_MEMBERS,
} from '../protocol/schemas/seed-rules.ts'
import type { Task } from '../protocol/task.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import type { StepOutcome, StepRun } from '../tasks/work.ts'
import { ASSET_RETENTION_MS, type AssetStore, readAssetName } from './assets/asset-store.ts'
import { checkBuilt } from './build/check-built.ts'
import { composeCreative } from './build/compose-creative.ts'
import type { Draft } from './build/draft.ts'
import { type DrawnCreative, drawCreative } from './build/draw-creative.ts'
import { type GatherPorts, gather, refuseAddresses } from './build/gather.ts'
import type { AdEngine, BuildJob } from './build/job.ts'
import { type BuildPlan, planBuild } from './build/plan-build.ts'
import { recipeHash } from './build/recipe.ts'
import type { FormatCatalogue } from './format-catalogue.ts'

export interface BuildCreativePorts
  extends Pick<GatherPorts, 'egress' | 'lookupBrand' | 'generator'> {
  catalogue: FormatCatalogue
  /** Asked at each call: before listening it is unknown. */
  publicUrl: () => string
  /** Further URLs by which format ids may name this server; `*` is any. */
  ownAgentUrls: readonly string[]
  assets: Pick<AssetStore, 'put' | 'get' | 'refuseFull'>
  /** The layout engine. */
  ads: AdEngine
  clock: Clock
  /** Previews of what was built, stored with it. Default: none can be asked for. */
  preview?: ((wish: PreviewWish) => Promise<PreparedPreview>) | undefined
  /** A creative of the owner's library. Default: there is no library. */
  findCreative?:
    | ((owner: string, creativeId: string) => Promise<CreativeManifest | undefined>)
    | undefined
}

export interface PreviewWish {
  owner: string
  creatives: readonly { manifest: CreativeManifest; format: Format }[]
  inputs: BuildCreativeRequest['preview_inputs']
  output_format: BuildCreativeRequest['preview_output_format']
}

export interface PreparedPreview {
  preview: NonNullable<BuildCreativeResponse['preview']>
  /** Stores it with the creative. Default: it is stored already. */
  commit?: (tx: Transaction) => Promise<void>
}

export interface BuildCreativeOptions {
  /** How long a caller without a webhook waits, in milliseconds. */
  inlineWaitMs: number
}

/** What a build has to do, in order. */
const STAGES = ['fetch', 'compose', 'draw', 'check', 'store'] as const
type Stage = (typeof STAGES)[number]

interface State {
  stage: Stage
  /** One of this server's own names: format ids may carry it. */
  calledOn: string
}

type Run = StepRun<BuildCreativeRequest, State>
type Outcome = StepOutcome<State, BuildCreativeResponse>

const DEADLINE_MS = 15 * 60 * 1_000
const BODY_LIMIT_BYTES = 10 * 1_024 * 1_024

export function buildCreative(
  ports: BuildCreativePorts,
  engine: TaskEngine,
  { inlineWaitMs }: BuildCreativeOptions,
): Task<BuildCreativeRequest, BuildCreativeResponse> {
  const bench = createBench(ports)
  return engine.longTask<BuildCreativeRequest, State, BuildCreativeResponse>({
    summary: 'Builds a creative for a format: from a brand and a message, or from another creative',
    area: 'creative',
    access: 'tasks',
    changes: true,
    newerMembers: NEWER_MEMBERS.build_creative,
    alsoRequired: buildCreativeRequires,
    refusalFor: formatIdRefusal,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    request: buildCreativeRequest,
    response: buildCreativeResponse,
    inlineWaitMs,
    immediately: async (request, { calledOn, principal }) => {
      await ports.assets.refuseFull(principal?.principal_id ?? '')
      const plan = await bench.plan(request, calledOn, principal?.principal_id ?? '')
      refuseAddresses(plan, ports.egress, (url) => ownAssetName(url, ports) !== undefined)
      if (request.include_preview && !ports.preview) throw noPreviews()
      return request.mode === 'estimate' ? estimateOf(plan) : undefined
    },
    work: {
      task_type: 'build_creative',
      deadlineMs: DEADLINE_MS,
      begin: (_request, { calledOn }) => ({ stage: 'fetch', calledOn }),
      step: (run) => bench.step(run),
    },
  })
}

/** What a build has made so far. It is lost with the process, and then simply made again. */
interface Made {
  plan: BuildPlan
  job?: BuildJob
  drafts?: readonly Draft[]
  drawn?: readonly DrawnCreative[]
}

/** Builds under way whose halves are kept between two steps; pictures are large. */
const KEPT_BUILDS = 16

function createBench(ports: BuildCreativePorts) {
  const kept = createRecentCache<Made>(KEPT_BUILDS)

  async function plan(request: BuildCreativeRequest, calledOn: string, owner: string) {
    const whole = await withCreative(request, owner, ports)
    return planBuild(whole, ports.catalogue, agentUrls(ports, calledOn))
  }

  /** Does what the stage needs, also what an earlier process did and took with it. */
  async function step({ task, request, state, signal }: Run): Promise<Outcome> {
    const { stage, calledOn } = state
    const made = kept.get(task.task_id) ?? { plan: await plan(request, calledOn, task.owner) }
    kept.set(task.task_id, made)
    const sources: GatherPorts = { ...ports, ownAsset: (url) => ownAsset(url, ports) }

    made.job ??= await gather(made.plan, sources, signal)
    if (stage === 'fetch') return goOn('compose', calledOn)
    const { job } = made
    made.drafts ??= made.plan.formats.map((format) => composeCreative(format, job, ports.ads))
    if (stage === 'compose') return goOn('draw', calledOn)
    made.drawn ??= await drawAll(made.drafts, job, ports, signal)
    if (stage === 'draw') return goOn('check', calledOn)
    for (const [index, one] of made.drawn.entries()) {
      checkBuilt(one, made.plan.formats[index] as Format)
    }
    if (stage === 'check') return goOn('store', calledOn)
    return finish(request, task.owner, made as Required<Made>, ports)
  }

  return {
    plan,
    step: async (run: Run): Promise<Outcome> => {
      const { task_id } = run.task
      const isLast = run.state.stage === 'store'
      try {
        return await step(run)
      } catch (error) {
        kept.delete(task_id)
        throw error
      } finally {
        if (isLast) kept.delete(task_id)
      }
    },
  }
}

const DOING: Record<Stage, string> = {
  fetch: 'fetching the material',
  compose: 'composing',
  draw: 'drawing the pictures',
  check: 'checking against the format',
  store: 'storing',
}

function goOn(stage: Stage, calledOn: string): Outcome {
  const done = STAGES.indexOf(stage)
  return {
    status: 'working',
    message: DOING[stage],
    progress: {
      percentage: Math.round((100 * done) / STAGES.length),
      current_step: DOING[stage],
      total_steps: STAGES.length,
      step_number: done + 1,
    },
    state: { stage, calledOn },
  }
}

async function drawAll(
  drafts: readonly Draft[],
  job: BuildJob,
  { ads, publicUrl }: BuildCreativePorts,
  signal: AbortSignal,
): Promise<DrawnCreative[]> {
  const drawn: DrawnCreative[] = []
  for (const draft of drafts) {
    if (signal.aborted) throw new Error('the build was aborted')
    drawn.push(await drawCreative(draft, job, { engine: ads, publicUrl: publicUrl() }))
  }
  return drawn
}

/** The answer, and with it in one transaction everything that it speaks of. */
async function finish(
  request: BuildCreativeRequest,
  owner: string,
  { plan, drawn }: Required<Made>,
  ports: BuildCreativePorts,
): Promise<Outcome> {
  const previewed = await previewOf(request, owner, { plan, drawn }, ports)
  const manifests = drawn.map(({ manifest }) => manifest)
  const files = drawn.flatMap(({ assets }) => assets)
  const [first] = manifests
  if (!first) throw new Error('a build has at least one target')
  const notes = notesOf(request, drawn)
  const result: BuildCreativeResponse = {
    ...(request.target_format_ids
      ? { creative_manifests: manifests }
      : { creative_manifest: first }),
    recipe_hash: recipeHash(request, plan.formats),
    ...(files.length > 0
      ? { expires_at: new Date(ports.clock.now() + ASSET_RETENTION_MS).toISOString() }
      : {}),
    ...(previewed && 'preview' in previewed ? { preview: previewed.preview } : {}),
    ...(previewed && 'error' in previewed ? { preview_error: previewed.error } : {}),
    ...(notes.length > 0 ? { ext: { build_notes: notes } } : {}),
  }
  return {
    status: 'completed',
    result,
    message:
      manifests.length === 1 ? 'the creative is built' : `${manifests.length} creatives are built`,
    commit: async (tx) => {
      for (const file of files) await ports.assets.put(tx, file, owner)
      if (previewed && 'preview' in previewed) await previewed.commit?.(tx)
    },
  }
}

/** A preview that fails does not fail the build: its place says why there is none. */
async function previewOf(
  { include_preview, preview_inputs, preview_output_format }: BuildCreativeRequest,
  owner: string,
  { plan, drawn }: Pick<Required<Made>, 'plan' | 'drawn'>,
  { preview }: BuildCreativePorts,
) {
  if (!include_preview || !preview) return undefined
  const creatives = drawn.map(({ manifest }, index) => ({
    manifest,
    format: plan.formats[index] as Format,
  }))
  try {
    return await preview({
      owner,
      creatives,
      inputs: preview_inputs,
      output_format: preview_output_format,
    })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const { code, message } = error.errors[0]
    return { error: taskError(code, message) }
  }
}

/** With the name of the format before each, where there are several. */
function notesOf(request: BuildCreativeRequest, drawn: readonly DrawnCreative[]): string[] {
  const notes = drawn.flatMap(({ notes, manifest }) =>
    drawn.length === 1 ? notes : notes.map((note) => `${manifest.format_id.id}: ${note}`),
  )
  const hasVariants = (request.max_variants ?? 1) > 1
  return [
    ...new Set(notes),
    ...(hasVariants ? ['one variant is built of each creative'] : []),
    ...(request.macro_values ? ['macro_values were not put in: macros stay until serving'] : []),
  ]
}

/** Building costs nothing here. */
function estimateOf({ formats }: BuildPlan): BuildCreativeResponse {
  return {
    mode: 'estimate',
    estimate: {
      currency: 'USD',
      cost_low: 0,
      cost_high: 0,
      cost_expected: 0,
      basis: 'fixed',
      items_total: formats.length,
      items_to_produce: formats.length,
      variants_per_item: 1,
      leaves_total: formats.length,
    },
  }
}

async function withCreative(
  request: BuildCreativeRequest,
  owner: string,
  { findCreative }: BuildCreativePorts,
): Promise<BuildCreativeRequest> {
  const { creative_id, creative_manifest } = request
  if (creative_id === undefined || creative_manifest) return request
  const found = await findCreative?.(owner, creative_id)
  if (found) return { ...request, creative_manifest: found }
  const message = `there is no creative ${creative_id} in your library: sync_creatives puts them there`
  throw new ProtocolError('CREATIVE_NOT_FOUND', message, { field: '/creative_id' })
}

/** The agent is also known by the addresses of its wires. */
function agentUrls({ publicUrl, ownAgentUrls }: BuildCreativePorts, calledOn: string): string[] {
  const own = [publicUrl(), calledOn].flatMap((url) => [url, `${url}/mcp`, `${url}/a2a`])
  return [...own, ...ownAgentUrls]
}

/** The digest of one of our own assets: read from the store, where a request to oneself may fail. */
function ownAssetName(url: string, { publicUrl }: BuildCreativePorts) {
  const base = `${publicUrl().replace(/\/+$/, '')}/assets/`
  return url.startsWith(base) ? readAssetName(url.slice(base.length)) : undefined
}

async function ownAsset(url: string, ports: BuildCreativePorts): Promise<Uint8Array | undefined> {
  const named = ownAssetName(url, ports)
  return named && (await ports.assets.get(named.digest))?.bytes
}

function noPreviews(): ProtocolError {
  const message = 'previews are not served here: leave include_preview out'
  return new ProtocolError('UNSUPPORTED_FEATURE', message, { field: '/include_preview' })
}
