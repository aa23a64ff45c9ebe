// The texts that people read: strings, templates and JSX of a source file, and the prose of a Markdown page.

import { parseAst } from 'vitest/node'

interface Node {
  type?: string
  start: number
  value?: unknown
  quasis?: { value: { cooked: string | null } }[]
}

export interface Text {
  line: number
  text: string
}

/** Strings, templates and JSX texts of at least two words. Values in a template are left out. */
export function textsOf(source: string, lang: 'ts' | 'tsx'): Text[] {
  const found: Text[] = []
  const waiting: unknown[] = [parseAst(source, { lang })]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next)) {
      for (const one of next) waiting.push(one)
      continue
    }
    const node = next as Node
    const text = textOf(node)
    if (text !== undefined && /\S\s+\S/.test(text)) {
      found.push({ line: source.slice(0, node.start).split('\n').length, text })
    }
    for (const member of Object.values(node)) waiting.push(member)
  }
  return found
}

function textOf(node: Node): string | undefined {
  if ((node.type === 'Literal' || node.type === 'JSXText') && typeof node.value === 'string') {
    return node.value
  }
  if (node.type !== 'TemplateLiteral') return undefined
  return node.quasis?.map(({ value }) => value.cooked ?? '').join(' … ')
}

/** The lines of a page outside of code, without what is set as code or is the target of a link. */
export function proseOf(page: string): Text[] {
  let isCode = false
  return page.split('\n').flatMap((line, at) => {
    if (/^\s*```/.test(line)) {
      isCode = !isCode
      return []
    }
    if (isCode) return []
    return [{ line: at + 1, text: line.replace(/`[^`]*`/g, ' ').replace(/\]\([^)]*\)/g, ']') }]
  })
}
