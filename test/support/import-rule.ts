// Reads source files as text and says where they break the layout: imports that point up, a rule
// of a folder, a file that is too long. Simple on purpose: it knows imports, not TypeScript.

import { posix } from 'node:path'

export interface Source {
  /** Below src/, with forward slashes: `lib/clock.ts`. */
  path: string
  text: string
}

export interface LayerRule {
  /** Layers it may import besides itself. */
  imports: readonly string[]
  /** Layers of which it may import types and UPPER_CASE constants, but nothing that runs. */
  ports?: readonly string[]
  /** npm packages it may import. Default: any. */
  packages?: readonly string[]
}

interface Import {
  from: string
  /** Names that exist when the program runs; a namespace, default or side effect is `*`. */
  values: string[]
}

const MAX_LINES = 400

export function breachesOf(
  sources: readonly Source[],
  layers: Readonly<Record<string, LayerRule>>,
  strangers: readonly (readonly [string, string])[],
): string[] {
  return sources.flatMap((source) => {
    const layer = layerOf(source.path)
    const rule = layers[layer]
    if (!rule) return [`${source.path} is in no layer: give ${layer} a row in the table`]
    return [
      ...shapeBreaches(source),
      ...importsOf(source.text).flatMap((one) => importBreaches(source.path, one, rule, strangers)),
    ]
  })
}

function shapeBreaches({ path, text }: Source): string[] {
  const breaches: string[] = []
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '')
  const lines = text.trimEnd().split('\n').length
  if (lines > MAX_LINES) breaches.push(`${path} has ${lines} lines: at most ${MAX_LINES}`)
  if (!/^(#![^\n]*\n)?(\/\/|\/\*)/.test(text))
    breaches.push(`${path} does not begin with a comment`)
  if (/^export default\b|\bas default\b/m.test(code)) breaches.push(`${path} has a default export`)
  const readsEnv = /\bprocess\??\.env\b|\benv\b[^=\n]*\}\s*=\s*process\b|\bprocess\[/.test(code)
  if (readsEnv && path !== 'app/env.ts') breaches.push(`${path} reads process.env`)
  return breaches
}

function importBreaches(
  path: string,
  { from, values }: Import,
  rule: LayerRule,
  strangers: readonly (readonly [string, string])[],
): string[] {
  if (from === 'node:process' || from === 'process') return [`${path} imports node:process`]
  if (from.startsWith('node:')) return []
  if (!from.startsWith('.')) {
    const isKnown = rule.packages?.some((name) => from === name || from.startsWith(`${name}/`))
    return rule.packages && !isKnown ? [`${path} imports the package ${from}`] : []
  }
  if (!/\.(ts|json)$/.test(from)) return [`${path} imports ${from} without its suffix`]
  const target = posix.join(posix.dirname(path), from)
  for (const [one, other] of strangers) {
    const meets = path.startsWith(one) && target.startsWith(other)
    if (meets || (path.startsWith(other) && target.startsWith(one))) {
      return [`${path} imports ${target}`]
    }
  }
  const wanted = layerOf(target)
  if (wanted === layerOf(path) || rule.imports.includes(wanted)) return []
  const runs = values.filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name))
  if (rule.ports?.includes(wanted) && runs.length === 0) return []
  return [`${path} imports ${target}`]
}

function layerOf(path: string): string {
  return path.split('/')[0] ?? path
}

const STATEMENT =
  /^(?:import|export)\s+(type\s+)?(?:([\w$*{][^;'"]*?)\s*from\s*)?['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(text: string): Import[] {
  const found: Import[] = []
  for (const [, typeOnly, clause, from] of text.matchAll(STATEMENT)) {
    found.push({ from: from as string, values: typeOnly ? [] : valuesOf(clause) })
  }
  for (const [, from] of text.matchAll(DYNAMIC)) found.push({ from: from as string, values: ['*'] })
  return found
}

function valuesOf(clause: string | undefined): string[] {
  const named = /\{([^}]*)\}/.exec(clause ?? '*')
  const outside = (clause ?? '*').replace(/\{[^}]*\}/, '').replace(/[\s,]/g, '')
  const names = (named?.[1] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(/\s+as\s+/)[0] as string)
  return outside === '' ? names : [...names, '*']
}

/** Files that import each other in a circle, of types too: the first circle that each file is on. */
export function circlesIn(sources: readonly Source[]): string[][] {
  const targets = new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => posix.join(posix.dirname(path), from)),
    ]),
  )
  const settled = new Set<string>()
  const circles: string[][] = []
  const follow = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path)
    if (at >= 0) circles.push([...way.slice(at), path])
    if (at >= 0 || settled.has(path)) return
    for (const target of targets.get(path) ?? []) follow(target, [...way, path])
    settled.add(path)
  }
  for (const { path } of sources) follow(path, [])
  return circles
}
