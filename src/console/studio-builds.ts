// Builds of the studio (spec 4.2): each format is a separate task, so that each is displayed as soon as it is built,
// and a failure affects one format only. The request is stored in the context of the task, since a task that ends
// drops its request.

import { randomUUID } from 'node:crypto'
import type { Failed } from '../agent/answer.ts'
import { assetPath, readAssetName } from '../creative/assets/asset-store.ts'
import { defined } from '../lib/defined.ts'
import { type Assets, eachAsset } from '../protocol/schemas/assets.ts'
import type { BuildCreativeResponse } from '../protocol/schemas/build-creative.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import type { TaskRecord, TaskStore } from '../tasks/store.ts'
import type {
  Build,
  BuildAnswer,
  BuildBody,
  BuildState,
  FormatRef,
  Manifest,
} from './api/studio.ts'
import { type ActionPorts, actInOtherTab } from './audit.ts'
import { type CallTask, refusalOfTask } from './call-task.ts'
import type { Handlers } from './handlers.ts'
import type { ConsoleQueries } from './queries.ts'
import { notFound, Refused } from './refusal.ts'
import type { Visitor } from './sessions.ts'
import { formatIdOf } from './studio-formats.ts'
import { serializePreview } from './studio-preview.ts'

export interface BuildPorts extends ActionPorts {
  callTask: CallTask
  publicUrl: () => string
  tasks: Pick<TaskStore, 'get'>
  queries: Pick<ConsoleQueries, 'taskOwner'>
}

const TASK = 'build_creative'
const MAX_LISTED = 50

export function buildHandlers(
  ports: BuildPorts,
): Handlers<'startBuilds' | 'listBuilds' | 'getBuild'> {
  return {
    startBuilds: (requested) => startBuilds(ports, requested),
    listBuilds: async ({ query }) => {
      const ids = [...new Set(query.task_ids.split(','))].slice(0, MAX_LISTED)
      const found = await Promise.all(ids.map((id) => taskOf(ports, id)))
      return { builds: found.flatMap((task) => (task ? [stateOf(task)] : [])) }
    },
    getBuild: async ({ params }) => {
      const task = await taskOf(ports, params.task_id)
      if (!task) throw notFound(`build ${params.task_id}`)
      return buildOf(task, ports.publicUrl())
    },
  }
}

async function startBuilds(
  ports: BuildPorts,
  { visitor, body, signal }: { visitor: Visitor; body: BuildBody; signal: AbortSignal },
): Promise<BuildAnswer> {
  const names = body.formats.map(({ id }) => id)
  const target = names.length > 3 ? `${names.length} formats` : names.join(', ')
  const action = {
    visitor,
    action: 'studio.build',
    target,
    detail: body.message.slice(0, MAX_DETAIL),
  }
  return actInOtherTab(ports, action, async () => {
    const builds: BuildAnswer['builds'] = []
    let refused: Failed | undefined
    for (const format of body.formats) {
      const answer = await ports.callTask({
        principal: visitor.principal,
        task: TASK,
        signal,
        waitMs: 0,
        arguments: requestFor(ports, body, format),
      })
      if (answer.ok) builds.push({ format, task_id: String(answer.body.task_id) })
      else {
        refused ??= answer
        builds.push({ format, refusal: refusalOfTask(answer).message })
      }
    }
    if (refused && builds.every(({ task_id }) => task_id === undefined))
      throw refusalOfTask(refused)
    return { builds }
  })
}

const MAX_DETAIL = 200

function requestFor(
  ports: BuildPorts,
  { message, brand_domain, brand_manifest, assets, variants }: BuildBody,
  format: FormatRef,
) {
  const target_format_id = formatIdOf(ports, format)
  const isBegun = assets !== undefined && Object.keys(assets).length > 0
  return {
    message,
    target_format_id,
    include_preview: true,
    idempotency_key: randomUUID(),
    context: {
      [OURS]: { format, message: message.slice(0, MAX_KEPT), ...defined({ brand_domain }) },
    },
    ...defined({
      brand: brand_domain === undefined ? undefined : { domain: brand_domain },
      brand_manifest,
      creative_manifest: isBegun ? { format_id: target_format_id, assets } : undefined,
      max_variants: variants > 1 ? variants : undefined,
    }),
  }
}

/** The member of a context that belongs to the studio. */
const OURS = 'adwire_studio'
const MAX_KEPT = 500

/** A build of any owner: users who can see tasks can see their results. */
async function taskOf(
  { tasks, queries }: Pick<BuildPorts, 'tasks' | 'queries'>,
  task_id: string,
): Promise<TaskRecord | undefined> {
  const owner = await queries.taskOwner(task_id)
  const task = owner === undefined ? undefined : await tasks.get({ owner, task_id })
  return task?.task_type === TASK ? task : undefined
}

interface Requested {
  format?: FormatRef
  message?: string
  brand_domain?: string
}

/** Callers also set contexts: members other than ours are not read. */
function requestOf({ context }: TaskRecord): Requested {
  const ours = (context as Record<string, unknown> | undefined)?.[OURS]
  if (!isObject(ours)) return {}
  const { format, message, brand_domain } = ours
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return defined({
    format: isObject(format) && typeof format.id === 'string' ? refOf(format) : undefined,
    message: text(message),
    brand_domain: text(brand_domain),
  })
}

function refOf({ id, width, height, duration_ms }: Record<string, unknown>): FormatRef {
  const number = (value: unknown) => (Number.isInteger(value) ? (value as number) : undefined)
  return {
    id: String(id),
    ...defined({ width: number(width), height: number(height), duration_ms: number(duration_ms) }),
  }
}

function stateOf(task: TaskRecord): BuildState {
  const { task_id, status, progress, message, errors = [] } = task
  return {
    task_id,
    status,
    errors: errors.map(({ code, message: said }) => ({ code, message: said })),
    ...defined({
      format: requestOf(task).format ?? builtFormat(task),
      progress_percent: progress?.percentage,
      message,
    }),
  }
}

function builtFormat({ result }: TaskRecord): FormatRef | undefined {
  const [first] = result ? manifestsOf(result as BuildCreativeResponse) : []
  return first && refOf(first.manifest.format_id)
}

function buildOf(task: TaskRecord, publicUrl: string): Build {
  const { format: _, ...requested } = requestOf(task)
  const result = (task.result ?? {}) as BuildCreativeResponse
  const { preview, preview_error, ext, expires_at } = result
  const { build_notes = [] } = (ext ?? {}) as { build_notes?: string[] }
  return {
    ...stateOf(task),
    requested,
    creatives: manifestsOf(result).map((creative, index) => {
      const previews = preview?.previews.filter(({ request_index = 0 }) => request_index === index)
      const returned = previews?.length
        ? serializePreview(previews, { expires_at: preview?.expires_at })
        : undefined
      const files = ownFiles(creative.manifest, publicUrl)
      return { ...creative, files, ...defined({ preview: returned }) }
    }),
    notes: [...build_notes],
    ...defined({ preview_fault: preview_error?.message, expires_at }),
  }
}

/** One, several, or the variants of one, in the order in which they were drawn. */
function manifestsOf(result: BuildCreativeResponse): { manifest: Manifest; rank?: number }[] {
  const { creative_manifest, creative_manifests = [], creatives = [] } = result
  const variants = creatives.flatMap((creative) => creative.variants)
  if (variants.length > 0) {
    return variants.map(({ creative_manifest: manifest, rank }) => ({
      manifest: manifest as Manifest,
      ...defined({ rank }),
    }))
  }
  const all = creative_manifest ? [creative_manifest] : creative_manifests
  return all.map((manifest) => ({ manifest: manifest as Manifest }))
}

/**
 * The files of a manifest that this server stores. Other parties write these addresses, and the console links to
 * them: an address that only begins like an asset's, such as `/assets/..//other.example`, is left out.
 */
export function ownFiles(
  { assets }: Pick<Manifest, 'assets'>,
  publicUrl: string,
): { slot: string; path: string }[] {
  const base = `${publicUrl}/assets/`
  return eachAsset(assets as Assets).flatMap(({ name, asset: { url } }) => {
    const named = url?.startsWith(base) ? readAssetName(url.slice(base.length)) : undefined
    return named ? [{ slot: name, path: assetPath(named.digest, named.media_type) }] : []
  })
}

/** One creative of a build. Throws a Refused if it does not exist. */
export async function builtManifest(
  ports: Pick<BuildPorts, 'tasks' | 'queries'>,
  { task_id, index }: { task_id: string; index: number },
): Promise<Manifest> {
  const task = await taskOf(ports, task_id)
  if (!task) throw notFound(`build ${task_id}`)
  const found = manifestsOf((task.result ?? {}) as BuildCreativeResponse)[index]
  if (!found) throw new Refused(409, 'not_built', 'this build has no such creative, or not yet')
  return found.manifest
}
