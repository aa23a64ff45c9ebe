// The page on which macros, variants and sizes can be tried. It has its own script and no privileges: it reads its
// fields and points a frame at the same preview, drawn by the server with those values.

import type { RenderDimensions } from '../renders.ts'
import { type Markup, markup } from './markup.ts'
import { rolesOf } from './parts.ts'
import { hashOf } from './policy.ts'
import { macrosOf, type Recipe } from './recipe.ts'
import { LISTENER } from './report-not-loaded.ts'

type Render = ReturnType<typeof rolesOf>[number]

/** In pixels; the first fills the window. */
const DEVICES = [
  { name: 'Fit', width: 0 },
  { name: 'Desktop', width: 1_280 },
  { name: 'Tablet', width: 768 },
  { name: 'Mobile', width: 390 },
] as const

export function interactivePage(recipe: Recipe): { html: string; csp: string } {
  const { format, inputs } = recipe
  const first = inputs[0]?.macros ?? {}
  const fields = macrosOf(recipe).map(
    (name) =>
      markup`<label>${name}<input name="${name}" maxlength="1000" autocomplete="off" spellcheck="false" value="${Object.hasOwn(first, name) ? first[name] : ''}"></label>`,
  )
  const { markup: html } = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${META}"><meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${format.name}</title><style>${{ markup: STYLE }}</style></head>
<body><aside><h1>${format.name}</h1>
${choice('variant', 'Variant', inputs.map(variantOf))}
${choice('role', 'Part', rolesOf(format).map(roleOption))}
${choice('device', 'Device', DEVICES.map(deviceOption))}
<h2>Macros</h2>${fields.length > 0 ? markup`<div id="macros">${fields}</div>` : markup`<p>This creative has no macros.</p>`}</aside>
<main><section id="missing" hidden><h2>Not loaded, by what the frame reports</h2><ul></ul></section><iframe id="shown" title="Preview" sandbox="allow-scripts" src="render"></iframe></main>
<script>${{ markup: SCRIPT }}</script></body></html>
`
  return { html, csp: `${META}; sandbox allow-scripts` }
}

function choice(id: string, label: string, options: readonly Markup[]): Markup {
  return markup`<label${options.length < 2 && markup` hidden`}>${label}<select id="${id}">${options}</select></label>`
}

function variantOf({ name, macros = {} }: Recipe['inputs'][number]): Markup {
  return markup`<option data-macros="${JSON.stringify(macros)}">${name}</option>`
}

/** Next to the creative: the caption, a panel, and the space around them. */
const AROUND_PX = 240
const MAX_FRAME_PX = 4_000

/** With the frame height at which all of it is visible. */
function roleOption({ role, dimensions }: Render, index: number): Markup {
  const { height = 0, unit = 'px' } = (dimensions ?? {}) as RenderDimensions
  const needed = unit === 'px' || unit === 'dp' ? Math.min(height + AROUND_PX, MAX_FRAME_PX) : 0
  return markup`<option value="${index}" data-height="${needed}">${role}</option>`
}

function deviceOption({ name, width }: (typeof DEVICES)[number]): Markup {
  return markup`<option value="${width}">${width === 0 ? name : `${name} (${width} px)`}</option>`
}

const SCRIPT = `
const at = (id) => document.getElementById(id)
const fields = [...document.querySelectorAll('#macros input')]
const frame = at('shown')
let waiting
${LISTENER}
const draw = () => {
  forget()
  frame.style.height = (at('role').selectedOptions[0].dataset.height || 0) + 'px'
  const query = new URLSearchParams({ role: at('role').value || '0' })
  for (const field of fields) if (field.value !== '') query.set(field.name, field.value)
  frame.src = 'render?' + query
}
const soon = () => {
  clearTimeout(waiting)
  waiting = setTimeout(draw, 200)
}
const fill = () => {
  const option = at('variant').selectedOptions[0]
  const macros = option ? JSON.parse(option.dataset.macros) : {}
  for (const field of fields) field.value = Object.hasOwn(macros, field.name) ? macros[field.name] : ''
  draw()
}
for (const field of fields) field.addEventListener('input', soon)
at('variant').addEventListener('change', fill)
at('role').addEventListener('change', draw)
at('device').addEventListener('change', (event) => {
  const width = Number(event.target.value)
  frame.style.width = width > 0 ? width + 'px' : ''
})
draw()
`

const STYLE = `
*{box-sizing:border-box}
body{margin:0;display:flex;flex-wrap:wrap;min-height:100vh;background:#f3f4f6;color:#1f2430;font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
aside{width:300px;flex:1 0 260px;max-width:360px;background:#fff;border-right:1px solid #dfe3e8;padding:20px;overflow-y:auto}
h1{font-size:16px;margin:0 0 16px}
h2{font-size:13px;color:#5c6577;margin:20px 0 8px}
label{display:block;font-size:12px;color:#4a5265;margin-bottom:12px}
label[hidden]{display:none}
input,select{display:block;width:100%;margin-top:4px;padding:7px 9px;font:inherit;color:#1f2430;background:#fff;border:1px solid #c5ccd8;border-radius:6px}
input:focus,select:focus{outline:2px solid #1d4ed8;outline-offset:0}
main{flex:999 1 480px;padding:20px;overflow:auto;display:flex;flex-direction:column;align-items:safe center}
#missing{width:100%;max-width:900px;margin-bottom:16px;padding:4px 16px;background:#fff;border:1px solid #dfe3e8;border-radius:10px;overflow-wrap:anywhere}
#missing[hidden]{display:none}
iframe{width:100%;flex:none;min-height:calc(100vh - 40px);border:1px solid #dfe3e8;border-radius:10px;background:#fff}
@media (max-width:640px){aside{max-width:none;border-right:0;border-bottom:1px solid #dfe3e8}main{padding:8px}}
`

// 'self' is the address the page was served from, although its sandbox gives it another origin.
const META = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; frame-src 'self'; base-uri 'none'; form-action 'none'`
