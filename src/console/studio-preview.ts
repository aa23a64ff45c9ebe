// A preview of a creative while it is being filled in (spec 2.5): drawn by preview_creative. If it does not fit its
// format there is no preview, and each error is reported at its place in the manifest.

import type { Answer, Failed } from '../agent/answer.ts'
import { defined } from '../lib/defined.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import type { Preview, PreviewRender } from '../protocol/schemas/preview.ts'
import type { PreviewCreativeResponse } from '../protocol/schemas/preview-creative.ts'
import type { ManifestFault, PreviewAnswer, SerializedPreview } from './api/studio.ts'
import { type CallTask, errorsOf, refusalOfTask } from './call-task.ts'
import type { Handlers } from './handlers.ts'
import { formatIdOf } from './studio-formats.ts'

export interface PreviewPorts {
  callTask: CallTask
  publicUrl: () => string
}

export function previewHandlers(ports: PreviewPorts): Handlers<'previewCreative'> {
  return {
    previewCreative: async ({ visitor, body: { format, assets, macros = {} }, signal }) => {
      const format_id = formatIdOf(ports, format)
      const answer = await ports.callTask({
        principal: visitor.principal,
        task: 'preview_creative',
        signal,
        arguments: previewOf({ format_id, assets }, macros),
      })
      return previewAnswerOf(answer)
    },
  }
}

/** The request for one creative, in the form that is served. */
export function previewOf(
  manifest: { format_id: FormatId; assets: object },
  macros: Readonly<Record<string, string>>,
) {
  return {
    request_type: 'single',
    format_id: manifest.format_id,
    creative_manifest: manifest,
    inputs: [{ name: 'Studio', macros }],
    output_format: 'url',
  }
}

/** Throws a Refused for errors that are not in the manifest. */
export function previewAnswerOf(answer: Answer): PreviewAnswer {
  if (!answer.ok) return { faults: faultsOf(answer), notes: [] }
  const { previews, interactive_url, expires_at, ext } =
    answer.body as unknown as PreviewCreativeResponse
  const notes = (ext as { preview_notes?: string[] } | undefined)?.preview_notes ?? []
  return { faults: [], notes, preview: serializePreview(previews, { interactive_url, expires_at }) }
}

const AT = '/creative_manifest'

function faultsOf(failed: Failed): ManifestFault[] {
  const issues = errorsOf(failed).flatMap(({ issues: reported = [] }) => reported)
  if (issues.length === 0) throw refusalOfTask(failed)
  return issues.map(({ pointer, message }) => ({
    pointer: pointer.startsWith(AT) ? pointer.slice(AT.length) : '',
    message,
  }))
}

export function serializePreview(
  previews: readonly Preview[],
  {
    interactive_url,
    expires_at,
  }: { interactive_url?: string | undefined; expires_at?: string | undefined },
): SerializedPreview {
  return {
    renders: previews.flatMap(({ renders }) => renders.flatMap(serializeRender)),
    ...defined({ interactive_path: interactive_url && pathOf(interactive_url), expires_at }),
  }
}

function serializeRender({ preview_url, role, dimensions, embedding }: PreviewRender) {
  if (preview_url === undefined) return []
  const { recommended_sandbox: sandbox = '' } = embedding ?? {}
  return [{ path: pathOf(preview_url), role, sandbox, ...(dimensions ?? {}) }]
}

/** Relative to the address at which the console was opened: previews are served there as well. */
function pathOf(url: string): string {
  return new URL(url).pathname
}
