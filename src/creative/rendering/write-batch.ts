// The response to a batch of previews as JSON. Each preview appears in it twice, in its result and in the list of
// all previews, and the markup of its page twice in each: that is most of the response, and it is serialized once.
// Strings are joined with `+`, which copies none of them before the end, as `join` would.

import type { Preview } from '../../protocol/schemas/preview.ts'
import type { PreviewCreativeResponse } from '../../protocol/schemas/preview-creative.ts'

type Written = readonly [name: string, json: string]
type Result = NonNullable<PreviewCreativeResponse['results']>[number]

/** `begun`: the object up to its members: `{`, or members that precede them. */
export function writeBatch(
  { previews, results, ...others }: PreviewCreativeResponse,
  begun = '{',
): string {
  const known = new Map<Preview, string>()
  const writeOnce = (one: Preview) => {
    const text = known.get(one) ?? writePreview(one)
    known.set(one, text)
    return text
  }
  const write = (list: readonly Preview[]) => writeList(list, writeOnce)
  const members: Written[] = [['previews', write(previews)]]
  if (results) members.push(['results', writeList(results, (one) => writeResult(one, write))])
  return `${begun}${membersOf(others, members)}}`
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
  const written = writeList(renders, (render) => {
    if (render.preview_html !== preview_html) return JSON.stringify(render)
    const { preview_html: _, ...own } = render
    return withMembers(own, [['preview_html', html]])
  })
  return withMembers(others, [
    ['preview_html', html],
    ['renders', written],
  ])
}

function writeList<One>(list: readonly One[], write: (one: One) => string): string {
  let text = ''
  for (const one of list) text += (text === '' ? '' : ',') + write(one)
  return `[${text}]`
}

/** An object, and members of it that are JSON already. */
function withMembers(object: object, members: readonly Written[]): string {
  return `{${membersOf(object, members)}}`
}

function membersOf(object: object, members: readonly Written[]): string {
  let text = JSON.stringify(object).slice(1, -1)
  for (const [name, json] of members) text += `${text === '' ? '' : ','}"${name}":${json}`
  return text
}
