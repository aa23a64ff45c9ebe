// The previews of what was built (spec 4.2): drawn before the build ends, and stored in the transaction that ends it.
// A preview that fails does not fail the build: an error in its place says why there is none.

import type { StillFile } from '../../lib/browser/take-still.ts'
import { defined } from '../../lib/defined.ts'
import type { Transaction } from '../../lib/transaction.ts'
import { trimEnd } from '../../lib/trim-end.ts'
import { agentUrls } from '../../protocol/agent-url.ts'
import { ProtocolError, taskError } from '../../protocol/errors.ts'
import type {
  BuildCreativeRequest,
  BuildCreativeResponse,
} from '../../protocol/schemas/build-creative.ts'
import { assetPath, digestOf } from '../assets/asset-store.ts'
import { isPostponed, type OnBehalf } from '../jobs/creative-worker-pool.ts'
import type { MakePreviews, PreparedPreviews } from '../rendering/make-previews.ts'
import type { Made } from './build-context.ts'
import type { DrawnCreative } from './draw-creative.ts'

export interface BuiltFor {
  request: BuildCreativeRequest
  owner: string
  calledOn: string
  by: OnBehalf & { signal: AbortSignal }
}

export interface PreviewBuiltPorts {
  makePreviews?: MakePreviews | undefined
  publicUrl: () => string
  ownAgentUrls: readonly string[]
}

type Reported = Pick<BuildCreativeResponse, 'preview' | 'preview_error'>

/** Stores the previews and returns them; undefined if none were requested. */
export async function previewBuilt(
  built: BuiltFor,
  made: Made,
  ports: PreviewBuiltPorts,
): Promise<((tx: Transaction) => Promise<Reported>) | undefined> {
  const { makePreviews } = ports
  if (!built.request.include_preview || !makePreviews) return undefined
  const prepared = await orError(prepare(built, made, { ...ports, makePreviews }))
  if ('preview_error' in prepared) return async () => prepared
  return (tx) => orError(commit(prepared, tx))
}

async function prepare(
  { request, owner, calledOn, by }: BuiltFor,
  { planRequest: { formats }, drawn = [] }: Made,
  ports: PreviewBuiltPorts & { makePreviews: MakePreviews },
): Promise<PreparedPreviews> {
  const { preview_inputs: inputs, preview_output_format, preview_quality } = request
  const requests = drawn.map(({ manifest }, index) => ({
    format_id: formats[index]?.format_id,
    creative_manifest: manifest,
    ...defined({ inputs }),
  }))
  const prepared = await ports.makePreviews({
    requests,
    principalId: owner,
    ownAgentUrls: agentUrls(ports, calledOn),
    output: preview_output_format ?? 'url',
    quality: preview_quality,
    files: filesOf(drawn, ports.publicUrl()),
    isShaped: false,
    by,
  })
  for (const outcome of prepared.outcomes) {
    const [first] = outcome.ok ? [] : outcome.errors
    if (first) throw new ProtocolError('VALIDATION_ERROR', first.message)
  }
  return prepared
}

/** What was drawn, by the URLs that it has once the build is committed. */
function filesOf(drawn: readonly DrawnCreative[], publicUrl: string): Map<string, StillFile> {
  const base = trimEnd(publicUrl, '/')
  return new Map(
    drawn.flatMap(({ assets }) =>
      assets.map(({ bytes, media_type: mediaType }) => [
        base + assetPath(digestOf(bytes), mediaType),
        { bytes, mediaType },
      ]),
    ),
  )
}

async function commit(prepared: PreparedPreviews, tx: Transaction): Promise<Reported> {
  const { creatives, expires_at } = await prepared.commit(tx)
  const returned = creatives.flatMap((one) => (one.ok ? [one.returned] : []))
  const previews = returned.flatMap((one, request_index) =>
    one.previews.map((preview) => ({ ...preview, request_index })),
  )
  const interactive_url = returned[0]?.interactive_url
  return { preview: { previews, expires_at, ...defined({ interactive_url }) } }
}

/** A refusal is returned; a full worker pool or an unexpected error leads to a retry. */
async function orError<T>(
  previews: Promise<T>,
): Promise<T | Required<Pick<Reported, 'preview_error'>>> {
  try {
    return await previews
  } catch (error) {
    if (isPostponed(error) || !(error instanceof ProtocolError)) throw error
    const { code, message } = error.errors[0]
    return { preview_error: taskError(code, message) }
  }
}
