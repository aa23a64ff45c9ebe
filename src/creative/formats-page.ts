// Generates docs/creative-formats.md from the project's own format files.

import type { Format, FormatSlot } from '../protocol/schemas/format.ts'
import { loadCatalogue } from './format-catalogue.ts'
import type { FormatAlias } from './format-file.ts'
import { dimensionsOf } from './renders.ts'

export function formatsPage(): string {
  const loaded = loadCatalogue()
  if (!loaded.ok) throw new Error(loaded.faults.join('\n'))
  const { formats, aliases } = loaded.catalogue
  const types = [...new Set(formats.map(({ type }) => type))]
  return `${INTRODUCTION}
${types.map((type) => section(type, formats)).join('\n')}
## Other names

You can also use these ids. Each refers to a format above, some with a fixed size or length.

| id | means |
|---|---|
${[...aliases].map(([name, alias]) => `| \`${name}\` | ${meaningOf(alias)} |`).join('\n')}

${OPERATORS}`
}

const INTRODUCTION = `# Creative formats

Use these formats with \`list_creative_formats\` and the other creative tasks. This page is generated: \`npm run docs\`.

A format id is an object, \`{ "agent_url": "https://ads.example", "id": "display_300x250_image" }\`. \`agent_url\` is this
server's public URL, the URL that you call it on, or one of its configured aliases. A format of *any size* or *any length* is
a template: add \`width\` and \`height\`, or \`duration_ms\`, to the format id. Slots in *italics* are optional.
`

const OPERATORS = `## Formats of your own

To add formats, put JSON files of this shape into a folder, and set \`ADWIRE_FORMATS_DIR\` to that folder. If a file has an
error, the server does not start, and reports the file name, the format and the location. An id that already exists is
refused.

\`\`\`json
{
  "type": "display",
  "defaults": { "supported_macros": ["CLICK_URL", "CACHEBUSTER"] },
  "common_assets": {
    "click_url": { "asset_type": "url", "required": true, "requirements": { "role": "clickthrough" } }
  },
  "formats": [
    {
      "id": "homepage_takeover",
      "name": "Homepage takeover",
      "description": "A picture across the whole head of the front page.",
      "renders": [{ "role": "primary", "dimensions": { "width": 1600, "height": 400 } }],
      "assets": [
        {
          "asset_id": "hero",
          "asset_type": "image",
          "required": true,
          "requirements": { "min_width": 1600, "max_width": 1600, "min_height": 400, "max_height": 400 }
        },
        "click_url"
      ]
    }
  ],
  "aliases": { "takeover": { "id": "homepage_takeover" } }
}
\`\`\`

- \`defaults\` are members of every format in the file that does not set them. To remove one from a format, set it to an empty
  list.
- To use one of \`common_assets\` as a slot, write its name.
- A slot with \`asset_group_id\`, \`min_count\`, \`max_count\` and \`"item_type": "repeatable_group"\` repeats its \`assets\`.
- A template has \`accepts_parameters\` (\`dimensions\`, \`duration\`). Its render has \`"parameters_from_format_id": true\`, and so
  do the \`requirements\` of the slots that must have that size or length.
`

function section(type: string, formats: readonly Format[]): string {
  const rows = formats.filter((format) => format.type === type).map(row)
  return `## ${type}

| id | name | size | slots | builds |
|---|---|---|---|---|
${rows.join('\n')}
`
}

function row(format: Format): string {
  const { format_id, name, assets, output_format_ids = [] } = format
  const slots = assets.map(slotName).join(', ')
  const builds = output_format_ids.map(({ id }) => `\`${id}\``).join(', ')
  return `| \`${format_id.id}\` | ${name} | ${sizeOf(format)} | ${slots} | ${builds} |`
}

function slotName(slot: FormatSlot): string {
  const name =
    slot.item_type === 'individual'
      ? `${slot.asset_id} (${slot.asset_type})`
      : `${slot.asset_group_id} (${slot.min_count} to ${slot.max_count})`
  return slot.required ? name : `*${name}*`
}

function sizeOf(format: Format): string {
  const sizes = dimensionsOf(format).flatMap(({ width, height, aspect_ratio, responsive }) => {
    if (width !== undefined && height !== undefined) return [`${width}x${height}`]
    if (aspect_ratio !== undefined) return [aspect_ratio]
    return responsive?.width || responsive?.height ? ['responsive'] : []
  })
  const open = (format.accepts_parameters ?? []).map((parameter) =>
    parameter === 'dimensions' ? 'any size' : 'any length',
  )
  return [...sizes, ...open].join(', ')
}

function meaningOf({ id, width, height, duration_ms }: FormatAlias): string {
  const size = width === undefined ? '' : ` at ${width}x${height}`
  const length = duration_ms === undefined ? '' : ` of ${duration_ms / 1_000} s`
  return `\`${id}\`${size}${length}`
}
