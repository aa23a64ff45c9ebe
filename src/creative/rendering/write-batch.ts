// The answer to a batch of previews as JSON. Each preview stands in it twice, in its result and among all of
// them, and the markup of its page twice in each: that is most of the answer, and is written once.

import type { Preview } from '../../protocol/schemas/preview.ts'
import type { PreviewCreativeResponse } from '../../protocol/schemas/preview-creative.ts'

type Written = readonly [name: string, json: string]
type Result = NonNullable<PreviewCreativeResponse['results']>[number]

export function writeBatch({ previews, results, ...others }: PreviewCreativeResponse): string {
  const known = new Map<Preview, string>()
  const write = (list: readonly Preview[]) => {
    const texts = list.map((one) => {
      const text = known.get(one) ?? writePreview(one)
      known.set(one, text)
      return text
    })
    return `[${texts.join(',')}]`
  }
  const members: Written[] = [['previews', write(previews)]]
  if (results) {
    const written = results.map((one) => writeResult(one, write))
    members.push(['results', `[${written.join(',')}]`])
  }
  return withMembers(others, members)
}

function writeResult(
  { response, ...others }: Result,
  write: (list: readonly Preview[]) => string,
): string {
  if (!response) return JSON.stringify(others)
  const { previews, ...own } = response
  return withMembers(others, [['response', withMembers(own, [['previews', write(previews)]])]])
}

function writePreview(preview: Preview): string {
  const { preview_html, renders, ...others } = preview
  if (preview_html === undefined) return JSON.stringify(preview)
  const html = JSON.stringify(preview_html)
  const written = renders.map((render) => {
    if (render.preview_html !== preview_html) return JSON.stringify(render)
    const { preview_html: _, ...own } = render
    return withMembers(own, [['preview_html', html]])
  })
  return withMembers(others, [
    ['preview_html', html],
    ['renders', `[${written.join(',')}]`],
  ])
}

/** An object, and members of it that are JSON already. */
function withMembers(object: object, members: readonly Written[]): string {
  const head = JSON.stringify(object)
  const tail = members.map(([name, json]) => `"${name}":${json}`).join(',')
  return head === '{}' ? `{${tail}}` : `${head.slice(0, -1)},${tail}}`
}
