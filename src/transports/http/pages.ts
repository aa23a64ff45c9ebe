// The pages for people at `/` and `/docs`: what this server is, where its transports are, and every operation, from
// the same description as `/openapi.json`. They run no script and load nothing.

import { createHash } from 'node:crypto'
import { type Markup, markup } from '../../creative/rendering/markup.ts'
import type { JsonSchema } from '../../protocol/schemas/json-schema.ts'
import { type OpenApiDocument, type Operation, REFERENCE, responseOf } from './openapi.ts'

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code{font:.9em ui-monospace,monospace}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}
details{border-bottom:1px solid #8884;padding:.4rem 0}summary{cursor:pointer}b{display:inline-block;min-width:4rem}h2{margin-top:2rem}`

/** Nothing may be loaded or run but the one style above. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A link on the server, for people and for programs. */
export interface Transport {
  name: string
  path: string
  what: string
}

export function welcomePage(transports: readonly Transport[]): string {
  const rows = transports.map(
    ({ name, path, what }) =>
      markup`<tr><th>${name}</th><td>${path.includes('{') ? markup`<code>${path}</code>` : markup`<a href="${path}"><code>${path}</code></a>`}</td><td>${what}</td></tr>`,
  )
  return page(
    'Adwire',
    markup`<h1>Adwire</h1>
<p>A server for advertising automation: a registry of brand and agent manifests, a creative agent and a signal agent. Programs call it over plain HTTP, MCP or A2A, with the same tasks on each.</p>
<table>${rows}</table>
<p>Tasks that need a key take <code>Authorization: Bearer adw_…</code>; the operator of this server makes keys.</p>`,
  )
}

export function apiReferencePage(document: OpenApiDocument): string {
  const { paths, components } = document
  const byTag = new Map<string, Markup[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = 'Other'] = operation.tags ?? []
      const returned = byTag.get(tag) ?? []
      returned.push(operationMarkup(document, { method, path, operation }))
      byTag.set(tag, returned)
    }
  }
  const sections = [...byTag].map(([tag, returned]) => markup`<h2>${tag}</h2>${returned}`)
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      markup`<details id="${name}"><summary><code>${name}</code></summary>${schemaMarkup(schema)}</details>`,
  )
  return page(
    'Adwire: API reference',
    markup`<h1>API reference</h1><p><a href="/">Adwire</a> · <a href="/openapi.json"><code>/openapi.json</code></a> · <a href="/schemas/v3/index.json">JSON Schemas</a></p>${sections}<h2>Schemas</h2>${schemas}`,
  )
}

function operationMarkup(
  document: OpenApiDocument,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): Markup {
  const {
    operationId,
    summary,
    security = [],
    parameters = [],
    requestBody,
    responses = {},
  } = operation
  const rows = parameters.map(
    (one) =>
      markup`<tr><td><code>${one.name}</code></td><td>${one.in}${one.required ? ', required' : ''}</td><td>${one.description ?? (one.schema?.description as string | undefined)}</td></tr>`,
  )
  const request = requestBody?.content?.['application/json']?.schema
  const answers = Object.entries(responses).map(([status, response]) => {
    const schema = responseOf(document, response).content?.['application/json']?.schema
    return markup`<li>${status}${schema ? markup`: ${typeMarkup(schema)}` : ''}</li>`
  })
  return markup`<details id="${operationId ?? path}"><summary><b>${method.toUpperCase()}</b> <code>${path}</code> ${summary}</summary>
<p>${security.length > 0 ? 'Needs a key.' : 'Needs no key.'}</p>${rows.length > 0 && markup`<table>${rows}</table>`}${request && markup`<p>Request: ${typeMarkup(request)}</p>`}<ul>${answers}</ul></details>`
}

function schemaMarkup(schema: JsonSchema): Markup {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  if (properties.length === 0) return markup`<p>${typeMarkup(schema)}</p>`
  const required = new Set((schema.required ?? []) as string[])
  const rows = properties.map(
    ([name, member]) =>
      markup`<tr><td><code>${name}</code>${required.has(name) && ' (required)'}</td><td>${typeMarkup(member)}</td><td>${member.description as string | undefined}</td></tr>`,
  )
  return markup`<table>${rows}</table>`
}

/** The allowed values, in a few words; a definition is linked. */
function typeMarkup(schema: JsonSchema): Markup {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(REFERENCE.length)
    return markup`<a href="#${name}"><code>${name}</code></a>`
  }
  const branches = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as JsonSchema[] | undefined
  if (branches) {
    const returned = branches.map((one, index) => markup`${index > 0 && ' or '}${typeMarkup(one)}`)
    return markup`${returned}`
  }
  if (Array.isArray(schema.enum)) return markup`<code>${schema.enum.join(' | ')}</code>`
  if (schema.const !== undefined) return markup`<code>${JSON.stringify(schema.const)}</code>`
  if (typeof schema.items === 'object' && schema.items !== null) {
    return markup`list of ${typeMarkup(schema.items as JsonSchema)}`
  }
  const members = Object.keys((schema.properties ?? {}) as object)
  const types = [schema.type ?? 'any'].flat().join(' or ')
  return markup`${types}${members.length > 0 && ` of ${members.join(', ')}`}`
}

function page(title: string, body: Markup): string {
  return `<!doctype html>\n${
    markup`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${{ markup: STYLE }}</style></head><body>${body}</body></html>`
      .markup
  }`
}
