// What a build has made so far, and how each stage is made from the one before: third-party content goes to the
// worker pool, while network and stores stay here. It is lost with the process, and then simply made again.

import { isTooCostly } from '../../lib/worker-pool/worker-pool-error.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { BuildCreativeRequest } from '../../protocol/schemas/build-creative.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { FormatCatalogue } from '../format-catalogue.ts'
import type { OnBehalf } from '../jobs/creative-worker-pool.ts'
import { costlyBecause } from '../jobs/too-costly.ts'
import { faultsOf } from '../manifest-check/check-manifests.ts'
import type { VideoEncoder } from '../video/video-encoder.ts'
import { refuseBuilt } from './check-built.ts'
import type { Draft } from './draft.ts'
import { type DrawnCreative, drawCreative } from './draw-creative.ts'
import { findTargets } from './find-targets.ts'
import { type GatherPorts, gather } from './gather.ts'
import { type Gathered, type Known, knownOf, withoutFonts } from './job.ts'
import type { PlannedBuild, PlanRequest } from './plan-build.ts'
import { refuseManyLeaves, variantsOf } from './variants.ts'

export interface BuildContextPorts extends GatherPorts {
  catalogue: FormatCatalogue
  /** Where the files will be served. */
  publicUrl: () => string
  /** The video encoder. Default: videos cannot be made. */
  encoder?: (() => Promise<VideoEncoder | undefined>) | undefined
  /** Longest time of one video, in milliseconds. Default two minutes. */
  videoTimeoutMs?: number | undefined
  /** Called with faults of a build that is answered nevertheless. */
  onFault?: ((fault: Error) => void) | undefined
}

export interface Made {
  /** Whether the call uses 3.x: its builds continue without pictures that cannot be fetched. */
  isNewer: boolean
  /** As requested, with the library creative that it refers to. */
  request: BuildCreativeRequest
  planRequest: PlanRequest
  plan: PlannedBuild
  gathered?: Gathered
  drafts?: readonly Draft[]
  drawn?: readonly DrawnCreative[]
  isChecked?: true
}

export interface StageQuery {
  request: BuildCreativeRequest
  /** Whether its manifest comes from the library. */
  isFromLibrary: boolean
  ownAgentUrls: readonly string[]
  /** Whether the call uses 3.x. Default false. */
  isNewer?: boolean
}

type By = OnBehalf & { signal: AbortSignal }

/** Throws a ProtocolError for a request that cannot be built. */
export async function planFor(
  { request, isFromLibrary, ownAgentUrls, isNewer = false }: StageQuery,
  {
    catalogue,
    workerPool,
    encoder,
  }: Pick<BuildContextPorts, 'catalogue' | 'workerPool' | 'encoder'>,
  by: By,
): Promise<Made> {
  const { formats: targets, sourceFormat } = findTargets(request, catalogue, ownAgentUrls)
  const variants = variantsOf(request)
  refuseManyLeaves(targets.length, variants)
  const formats = targets.flatMap((format) => Array.from({ length: variants }, () => format))
  const containers = (await encoder?.())?.containers ?? []
  const json = JSON.stringify(request)
  const planRequest = { formats, sourceFormat, variants, json, isFromLibrary, containers }
  const plan = await workerPool.run('plan_build', planRequest, by).catch(costlyToBuild)
  return { isNewer, request, planRequest, plan }
}

const costlyToBuild = costlyBecause((reason) => {
  const message = `this creative cannot be built: ${reason}`
  return new ProtocolError('VALIDATION_ERROR', message, { field: '/creative_manifest' })
})

export async function gatherFor(made: Made, ports: BuildContextPorts, by: By): Promise<Gathered> {
  const plan = { ...made.plan, isNewer: made.isNewer }
  made.gathered ??= await gather(plan, made.planRequest.formats, { ports, by })
  return made.gathered
}

export async function composeFor(
  made: Made,
  ports: BuildContextPorts,
  by: By,
): Promise<readonly Draft[]> {
  if (made.drafts) return made.drafts
  const known = knownOf(await gatherFor(made, ports, by))
  const compose = async (withFonts: Known): Promise<readonly Draft[]> => {
    const drafts: Draft[] = []
    const request = { plan: made.planRequest, known: withFonts }
    const onPart = (draft: Draft) => drafts.push(draft)
    await ports.workerPool.run('compose_creatives', request, { ...by, onPart })
    return drafts
  }
  made.drafts = await compose(known)
    .catch((error: unknown) => {
      // A font that passed the first check may still crash text layout.
      if (known.fonts.length === 0 || !isTooCostly(error)) throw error
      return compose(withoutFonts(known))
    })
    .catch(costlyToBuild)
  for (const fault of made.drafts.flatMap(({ faults = [] }) => faults)) {
    ports.onFault?.(new Error(fault))
  }
  return made.drafts
}

export async function drawFor(
  made: Made,
  ports: BuildContextPorts,
  by: By,
): Promise<readonly DrawnCreative[]> {
  if (made.drawn) return made.drawn
  const gathered = await gatherFor(made, ports, by)
  const drafts = await composeFor(made, ports, by)
  const { request, plan } = made
  const access = { workerPool: ports.workerPool, by }
  const drawn: DrawnCreative[] = []
  for (const [index, draft] of drafts.entries()) {
    if (by.signal.aborted) throw new Error('the build was aborted')
    const format = made.planRequest.formats[index] as Format
    const video = { encoder: await ports.encoder?.(), timeoutMs: ports.videoTimeoutMs }
    const drawing = { format, request, plan, gathered, publicUrl: ports.publicUrl(), video }
    drawn.push(await drawCreative(draft, drawing, access))
  }
  made.drawn = drawn
  return drawn
}

/** Throws a ProtocolError for a creative that does not fit its format. */
export async function checkFor(made: Made, ports: BuildContextPorts, by: By): Promise<void> {
  const drawn = await drawFor(made, ports, by)
  if (made.isChecked) return
  const { formats } = made.planRequest
  const items = drawn.map(({ manifest }, index) => ({
    json: JSON.stringify(manifest),
    format: formats[index] as Format,
    isSameFormat: true,
  }))
  const found = await faultsOf(ports.workerPool, items, by)
  for (const [index, one] of drawn.entries()) {
    refuseBuilt(one, formats[index] as Format, found[index] ?? [])
  }
  made.isChecked = true
}
