// docs/api-errors.md: the texts of all errors that the API returns, read from the source. A text is what is passed to one
// of the functions that make an error, or the value of a member such as `message` or `suggestion`.
import { readdirSync, readFileSync } from 'node:fs'
import { parseAst } from 'vitest/node'

/** Where the API's errors are made, and the heading of each part of the page. */
const AREAS = [
  ['Every task', ['protocol', 'agent', 'tasks']],
  ['Creative tasks', ['creative']],
  ['Signal tasks', ['signals']],
  ['Media buy tasks', ['media-buys']],
  ['Calls of other agents', ['caller']],
  ['Registry', ['registry', 'transports/http/registry']],
  ['Transports', ['transports']],
  ['Webhook registration and receipt', ['webhooks']],
  ['Sandbox', ['sandbox']],
  ['Console', ['console']],
]

/** Word lists, drawing and previews: texts that are no errors. */
const NOT_ERRORS = [
  /^creative\/(message|layout-engine|motion|directions|rendering\/(page|report|interactive))/,
  /^creative\/model\//,
  /^protocol\/schemas\/(?!issues|generation-rules|build-creative|promoted-offerings)/,
  /^protocol\/releases\/(?!choose-version)/,
  /limits\.ts$/,
  /-page\.ts$/,
]

const MAKERS =
  /^(ProtocolError|Refused|Refusal|taskError|refuse|refused|refusal|fault|conflict|invalid|notFound|forbidden|addFault|add|failure|issue|problem)$/
const DIRECT_MEMBERS = /^(message|suggestion|reason|error|hint|fault|detail|recovery)$/

/** The page, made from the files below `src`. */
export function apiErrorsPage(src) {
  const taken = new Set()
  const parts = []
  const counted = new Set()
  const named = AREAS.map(([title, folders]) => ({ title, folders }))
  const ownerOf = (path) =>
    named
      .flatMap(({ title, folders }) => folders.map((folder) => ({ title, folder })))
      .filter(({ folder }) => path.startsWith(`${folder}/`))
      .sort((a, b) => b.folder.length - a.folder.length)[0]?.title
  const files = readdirSync(src, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !NOT_ERRORS.some((one) => one.test(path)))
    .sort()
  const rows = new Map(named.map(({ title }) => [title, []]))
  for (const path of files) {
    const title = ownerOf(path)
    if (title === undefined) continue
    for (const text of errorTextsOf(readFileSync(`${src}/${path}`, 'utf8'))) {
      const key = `${title} ${text}`
      if (taken.has(key)) continue
      taken.add(key)
      counted.add(text)
      rows.get(title).push({ text, path })
    }
  }
  for (const { title } of named) {
    const lines = rows.get(title).map(({ text, path }) => `| ${cell(text)} | \`src/${path}\` |`)
    if (lines.length > 0)
      parts.push(`## ${title}\n\n| text | made in |\n|---|---|\n${lines.join('\n')}\n`)
  }
  return `# Texts of API errors

You find here every text that the API returns in an error: as \`message\`, \`suggestion\`, \`issues[].message\` or \`error\`.
\`{…}\` is a value of the request or a limit. Texts are for people and may change: branch on the codes of
[task-errors.md](task-errors.md). This page is generated (\`npm run docs\`) and has ${counted.size} texts.

${parts.join('\n')}`
}

/** The texts of one file, in their order, without repetitions. */
export function errorTextsOf(source) {
  const found = new Map()
  visit(parseAst(source, { lang: 'ts' }), [])
  return [...found].sort((a, b) => a[1] - b[1]).map(([text]) => text)

  function visit(node, above) {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, above)
      return
    }
    if (typeof node !== 'object' || node === null) return
    const text = textOf(node)
    if (text !== undefined && isSentence(text) && isErrorText(above) && !found.has(text)) {
      found.set(text, node.start)
    }
    if (node.type === 'TemplateLiteral' && text !== undefined) return
    for (const member of Object.values(node)) {
      if (typeof member === 'object') visit(member, node.type ? [...above, node] : above)
    }
  }
}

function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  return node.quasis.map((one) => one.value.cooked ?? '').join('{…}')
}

const isSentence = (text) =>
  /[a-z]{2,}.* [a-z{]/i.test(text) &&
  !/^(SELECT|INSERT|UPDATE|DELETE|worker:|thread:)|=>|<[a-z]|default-src/.test(text)

/** Whether the nodes above a text, the nearest last, make an error of it. */
function isErrorText(above) {
  for (let at = above.length - 1; at >= 0; at -= 1) {
    const node = above[at]
    if (node.type === 'Property') {
      return (
        DIRECT_MEMBERS.test(node.key.name ?? node.key.value ?? '') || isTableOfErrors(above, at)
      )
    }
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const name = node.callee.name ?? node.callee.property?.name ?? ''
      if (MAKERS.test(name)) return true
      if (!/^(map|join|filter|slice|defined|quoted\w*|listed|String)$/.test(name)) return false
    }
    if (node.type === 'VariableDeclarator') {
      return /message|reason|suggestion|fault|why|hint|refus|SUGGESTIONS|REASON|MESSAGE|error/i.test(
        node.id.name ?? '',
      )
    }
    if (/Function/.test(node.type)) {
      return /message|reason|suggestion|fault|why|hint|refus|error|invalid|problem/i.test(
        node.id?.name ?? above[at - 1]?.id?.name ?? '',
      )
    }
  }
  return false
}

function isTableOfErrors(above, at) {
  const declared = above.slice(0, at).findLast((node) => node.type === 'VariableDeclarator')
  return /SUGGESTION|REASON|MESSAGE|FAULT|RIGHT|REFUS|ERROR/.test(declared?.id.name ?? '')
}

const cell = (text) =>
  text
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .trim()
