// Finds the regular expressions of a source file: those that are written, and those that are built.

import { parseAst } from 'vitest/node'

export interface Expression {
  path: string
  line: number
  /** The pattern; of one that is built, the code that builds it. */
  source: string
  /** Undefined for one that is built. */
  flags: string | undefined
}

interface Node {
  type: string
  start: number
  end: number
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
}

export function expressionsOf({ path, text }: { path: string; text: string }): Expression[] {
  const found: Expression[] = []
  const add = (node: Node, source: string, flags: string | undefined) => {
    const line = text.slice(0, node.start).split('\n').length
    found.push({ path, line, source, flags })
  }
  const waiting: unknown[] = [parseAst(text, { lang: 'ts' })]
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) {
      for (const one of next) waiting.push(one)
      continue
    }
    if (typeof next !== 'object' || next === null) continue
    const node = next as Node
    if (node.type === 'Literal' && node.regex) add(node, node.regex.pattern, node.regex.flags)
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
    if (isCall && node.callee?.name === 'RegExp') {
      add(node, text.slice(node.start, node.end), undefined)
    }
    for (const member of Object.values(node)) waiting.push(member)
  }
  return found
}
