// `build_creative`: a creative generated from a brand, its offerings and a message, or an existing one converted to
// another format (spec 4.2). It runs in steps; nothing is stored until everything is built and checked, and then all
// of it at once.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { trimEnd } from '../lib/trim-end.ts'
import { agentUrls } from '../protocol/agent-url.ts'
import { ProtocolError, taskError } from '../protocol/errors.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import {
  type BuildCreativeRequest,
  type BuildCreativeResponse,
  buildCreativeRequest,
  buildCreativeResponse,
} from '../protocol/schemas/build-creative.ts'
import type { CreativeManifest } from '../protocol/schemas/creative-manifest.ts'
import {
  buildCreativeRequires,
  formatIdRefusal,
  NEWER_MEMBERS,
} from '../protocol/schemas/generation-rules.ts'
import type { Task } from '../protocol/task.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import type { StepOutcome, StepRun } from '../tasks/work.ts'
import { ASSET_RETENTION_MS, type AssetStore, readAssetName } from './assets/asset-store.ts'
import {
  type BuildContextPorts,
  checkFor,
  composeFor,
  drawFor,
  gatherFor,
  type Made,
  planFor,
  type StageQuery,
} from './build-steps/build-context.ts'
import type { DrawnCreative } from './build-steps/draw-creative.ts'
import { type GatherPorts, refuseAddresses } from './build-steps/gather.ts'
import { createKeptBuilds } from './build-steps/kept-builds.ts'
import { type BuiltFor, previewBuilt } from './build-steps/preview-built.ts'
import { variantId, variantNotes, variantsNote } from './build-steps/variants.ts'
import { callerOf, ownerOf } from './caller-of.ts'
import { manifestsFor, withFormatTargets } from './canonical/targets.ts'
import { buildCost } from './drawing-cost.ts'
import type { FormatCatalogue } from './format-catalogue.ts'
import { isPostponed, wasKilled } from './jobs/creative-worker-pool.ts'
import { MAX_REPORTED, MAX_REQUEST_BYTES } from './limits.ts'
import { macroRequestOf, withMacroNames } from './macros/macro-request.ts'
import { type MessageReading, messageReading, type ReadCreative } from './message-reading.ts'
import type { MakePreviews } from './rendering/make-previews.ts'
import { noStills } from './rendering/with-stills.ts'

export interface BuildCreativePorts
  extends Pick<
      GatherPorts,
      'egress' | 'lookupBrand' | 'isBrandRequired' | 'generator' | 'workerPool'
    >,
    Pick<BuildContextPorts, 'encoder' | 'videoTimeoutMs' | 'onFault'> {
  catalogue: FormatCatalogue
  /** Called for each request: the URL is unknown before the server listens. */
  publicUrl: () => string
  /** Further URLs by which format ids may refer to this server; `*` is any. */
  ownAgentUrls: readonly string[]
  assets: Pick<AssetStore, 'put' | 'get' | 'refuseFull'>
  clock: Clock
  /** For previews of what was built, stored with it. Default: previews are not available. */
  makePreviews?: MakePreviews | undefined
  /** Whether previews may be pictures. Default false. */
  hasStills?: boolean
  /** Finds a creative in the owner's library. Default: there is no library. */
  findCreative?:
    | ((owner: string, creativeId: string) => Promise<CreativeManifest | undefined>)
    | undefined
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
  /** One of this server's own names, which format ids may contain. */
  calledOn: string
  /** Whether the call uses 3.x. Default false. */
  isNewer?: boolean
  /** Number of consecutive worker processes that died in this stage. Default 0. */
  deaths?: number
}

type Run = StepRun<BuildCreativeRequest, State>
type Outcome = StepOutcome<State, BuildCreativeResponse>

const DEADLINE_MS = 15 * 60 * 1_000
/** Pause before a step is retried after the worker pool was full. */
const LEAST_PAUSE_MS = 1_000
/** Maximum number of worker processes that may die in one stage of a build. */
const MAX_DEATHS = 3

export function buildCreative(
  ports: BuildCreativePorts,
  engine: TaskEngine,
  { inlineWaitMs }: BuildCreativeOptions,
): Task<BuildCreativeRequest, BuildCreativeResponse> {
  const builder = createBuilder(ports)
  return engine.longTask<BuildCreativeRequest, State, BuildCreativeResponse>({
    summary: 'Builds a creative for a format: from a brand and a message, or from another creative',
    area: 'creative',
    access: 'tasks',
    changes: true,
    newerMembers: NEWER_MEMBERS.build_creative,
    alsoRequired: buildCreativeRequires,
    refusalFor: formatIdRefusal,
    bodyLimitBytes: MAX_REQUEST_BYTES,
    request: buildCreativeRequest,
    response: buildCreativeResponse,
    cost: buildCost,
    inlineWaitMs,
    immediately: async (request, { calledOn, principal, account, signal }) => {
      await ports.assets.refuseFull(principal?.principal_id ?? '')
      refusePreviews(request, ports)
      const requested = await requestOf(
        request,
        { calledOn, owner: principal?.principal_id ?? '' },
        ports,
      )
      const { plan, planRequest } = await planFor(requested, ports, {
        owner: callerOf({ principal, account }),
        signal,
      })
      refuseAddresses(plan, ports.egress, (url) => ownAssetName(url, ports) !== undefined)
      return request.mode === 'estimate' ? estimateOf(planRequest) : undefined
    },
    work: {
      task_type: 'build_creative',
      deadlineMs: DEADLINE_MS,
      begin: (_request, { calledOn, version }) => ({
        stage: 'fetch',
        calledOn,
        isNewer: hasFeature(version, 'canonical_slots'),
      }),
      step: (run) => builder(run),
    },
  })
}

function createBuilder(ports: BuildCreativePorts): (run: Run) => Promise<Outcome> {
  const kept = createKeptBuilds()
  const bench: BuildContextPorts = { ...ports, ownAsset: (url) => ownAsset(url, ports) }

  /** Does the work of the stage, and repeats work that was lost with an earlier process. */
  async function step({ task, request, state, signal }: Run): Promise<Outcome> {
    const { stage, calledOn, isNewer = false } = state
    const by = { owner: ownerOf(task.owner), signal }
    const made =
      kept.get(task.task_id) ??
      (await planFor(
        { ...(await requestOf(request, { calledOn, owner: task.owner }, ports)), isNewer },
        bench,
        by,
      ))
    try {
      if (stage === 'fetch') await gatherFor(made, bench, by)
      if (stage === 'compose') await composeFor(made, bench, by)
      if (stage === 'draw') await drawFor(made, bench, by)
      if (stage === 'check' || stage === 'store') await checkFor(made, bench, by)
    } finally {
      kept.set(task.task_id, made)
    }
    const next = STAGES[STAGES.indexOf(stage) + 1]
    const { deaths: _, ...others } = state
    if (next) return goOn({ ...others, stage: next })
    const finishing = { request, owner: task.owner, calledOn, by }
    return finish(finishing, made, ports)
  }

  return async (run) => {
    const { task_id } = run.task
    try {
      const outcome = await step(run)
      if (outcome.status === 'completed') kept.delete(task_id)
      return outcome
    } catch (error) {
      // The worker pool was full: the work done so far is kept, and the step is retried.
      const outcome =
        isPostponed(error) && !run.signal.aborted ? postponed(error, run.state) : undefined
      if (outcome?.status !== 'wait') kept.delete(task_id)
      if (outcome) return outcome
      throw error
    }
  }
}

function postponed(error: ProtocolError, state: State): Outcome {
  const { retry_after = 1 } = error.errors[0]
  const deaths = (state.deaths ?? 0) + (wasKilled(error) ? 1 : 0)
  // A build that kills its worker process every time is not retried forever.
  if (deaths >= MAX_DEATHS) return abandoned(deaths)
  const next = deaths === 0 ? state : { ...state, deaths }
  return { status: 'wait', state: next, afterMs: Math.max(retry_after * 1_000, LEAST_PAUSE_MS) }
}

function abandoned(deaths: number): Outcome {
  const message = `this creative cannot be built: the request crashed its process ${deaths} times`
  const suggestion = 'Change the request before you retry.'
  return { status: 'failed', errors: [taskError('TASK_ABANDONED', message, { suggestion })] }
}

const DOING: Record<Stage, string> = {
  fetch: 'fetching the material',
  compose: 'composing',
  draw: 'drawing the pictures',
  check: 'checking against the format',
  store: 'storing',
}

function goOn(state: State): Outcome {
  const { stage } = state
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
    state,
  }
}

/** Stores the answer, and in the same transaction everything that it refers to. */
async function finish(
  finishing: BuiltFor,
  made: Made,
  ports: BuildCreativePorts,
): Promise<Outcome> {
  const { request, owner } = finishing
  const { plan, drawn = [] } = made
  const alsoReports = await previewBuilt(finishing, made, ports)
  const { manifests, report: macro_translation } = withMacroNames(
    drawn.map(({ manifest }) => manifest),
    macroRequestOf(request),
  )
  const displayed = manifestsFor(request, manifests, made.planRequest.formats)
  const files = drawn.flatMap(({ assets }) => assets)
  const [first] = displayed
  if (!first) throw new Error('a build has at least one target')
  const { variants } = made.planRequest
  const reported = variants > 1 ? variantsNote(manifests, variants, plan.recipe_hash) : undefined
  const reading = readingOf(made, reported)
  const notes = [...notesOf(request, drawn), ...variantNotes(request, reported), ...reading.notes]
  const single =
    (request.target_format_ids ?? request.target_capability_ids)
      ? { creative_manifests: displayed }
      : { creative_manifest: first }
  const result: BuildCreativeResponse = {
    ...(reported ?? single),
    recipe_hash: plan.recipe_hash,
    ...defined({
      expires_at:
        files.length > 0
          ? new Date(ports.clock.now() + ASSET_RETENTION_MS).toISOString()
          : undefined,
      ext: extOf({
        style: drawn.find(({ style }) => style !== undefined)?.style,
        build_notes: notes.length > 0 ? notes : undefined,
        message_reading: reading.parts.length > 0 ? reading.parts : undefined,
        macro_translation,
      }),
    }),
  }
  return {
    status: 'completed',
    result,
    message:
      manifests.length === 1 ? 'the creative is built' : `${manifests.length} creatives are built`,
    commit: async (tx) => {
      for (const file of files) await ports.assets.put(tx, file, owner)
    },
    ...defined({ alsoReports }),
  }
}

/** Of the creatives in the answer. */
function readingOf(
  { drawn = [], planRequest, plan }: Made,
  reported: ReportedVariants,
): MessageReading {
  const { variants } = planRequest
  const returned = new Set(
    reported?.creatives?.flatMap((one) => one.variants.map((leaf) => leaf.build_variant_id)),
  )
  const creatives = drawn.map(({ reading }, index): ReadCreative => {
    if (!reported) return { reading, name: { creative: index } }
    const [target, variant] = [Math.floor(index / variants), index % variants]
    return { reading, name: { build_variant_id: variantId(plan.recipe_hash, target, variant) } }
  })
  return messageReading(
    creatives.filter(({ name }) => 'creative' in name || returned.has(name.build_variant_id)),
  )
}

type ReportedVariants = ReturnType<typeof variantsNote> | undefined

function extOf(members: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const reported = defined(members)
  return Object.keys(reported).length > 0 ? reported : undefined
}

/** If there are several formats, each note is prefixed with the name of its format. */
function notesOf(request: BuildCreativeRequest, drawn: readonly DrawnCreative[]): string[] {
  const notes = drawn.flatMap(({ notes, manifest }) =>
    drawn.length === 1 ? notes : notes.map((note) => `${manifest.format_id.id}: ${note}`),
  )
  const reported = [...new Set(notes)]
  const more = reported.length - MAX_REPORTED
  return [
    ...reported.slice(0, MAX_REPORTED),
    ...(more > 0 ? [`${more} more notes`] : []),
    ...(request.macro_values
      ? ['macro_values were not substituted: macros stay until serving']
      : []),
  ]
}

/** Building costs nothing here. */
function estimateOf({ formats, variants }: Made['planRequest']): BuildCreativeResponse {
  return {
    mode: 'estimate',
    estimate: {
      currency: 'USD',
      cost_low: 0,
      cost_high: 0,
      cost_expected: 0,
      basis: 'fixed',
      items_total: formats.length / variants,
      items_to_produce: formats.length / variants,
      variants_per_item: variants,
      leaves_total: formats.length,
    },
  }
}

/** With the library creative that it refers to. */
async function requestOf(
  requested: BuildCreativeRequest,
  { calledOn, owner }: { calledOn: string; owner: string },
  ports: BuildCreativePorts,
): Promise<StageQuery> {
  const ownAgentUrls = agentUrls(ports, calledOn)
  // A request that cannot be met is rejected before anything is built.
  macroRequestOf(requested)
  const { creative_id, creative_manifest } = requested
  const request = withFormatTargets(requested, ports.catalogue, ports.publicUrl())
  if (creative_id === undefined || creative_manifest) {
    return { request, isFromLibrary: false, ownAgentUrls }
  }
  const found = await ports.findCreative?.(owner, creative_id)
  if (found) {
    return { request: { ...request, creative_manifest: found }, isFromLibrary: true, ownAgentUrls }
  }
  const message = `your library has no creative ${creative_id}. Add it with sync_creatives`
  throw new ProtocolError('CREATIVE_NOT_FOUND', message, { field: '/creative_id' })
}

/**
 * The digest of one of our own assets: read from the store, since a server may be unable to send requests to itself.
 */
function ownAssetName(url: string, { publicUrl }: BuildCreativePorts) {
  const base = `${trimEnd(publicUrl(), '/')}/assets/`
  return url.startsWith(base) ? readAssetName(url.slice(base.length)) : undefined
}

async function ownAsset(url: string, ports: BuildCreativePorts): Promise<Uint8Array | undefined> {
  const named = ownAssetName(url, ports)
  return named && (await ports.assets.get(named.digest))?.bytes
}

/** Checked immediately, not after the build. */
function refusePreviews(request: BuildCreativeRequest, ports: BuildCreativePorts): void {
  const { include_preview, preview_output_format } = request
  if (!include_preview) return
  if (!ports.makePreviews) throw noPreviews()
  if (preview_output_format === 'image' && !ports.hasStills) throw noStills('preview_output_format')
}

function noPreviews(): ProtocolError {
  const message = 'previews are not supported: omit include_preview'
  return new ProtocolError('UNSUPPORTED_FEATURE', message, { field: '/include_preview' })
}
