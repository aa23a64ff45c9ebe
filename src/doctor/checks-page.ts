// Generates the tables of docs/doctor.md from the tables of checks: what is checked, why it matters, and what to do.

import { AGENT_CHECKS } from './agent/checks.ts'
import type { Check } from './check.ts'
import { RECEIVER_CHECKS } from './receiver/checks.ts'

type Row = Pick<Check<never>, 'id' | 'group' | 'title' | 'why' | 'fix' | 'writes'>

/** The page with its two tables, up to date. */
export function withChecks(page: string): string {
  return between(between(page, 'agent', AGENT_CHECKS), 'receiver', RECEIVER_CHECKS)
}

function between(page: string, name: string, checks: readonly Row[]): string {
  const [begin, end] = [`<!-- ${name} checks -->`, `<!-- end of ${name} checks -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the page has no place for the ${name} checks`)
  return `${page.slice(0, from + begin.length)}\n\n${tableOf(checks)}\n\n${page.slice(to)}`
}

function tableOf(checks: readonly Row[]): string {
  const rows = checks.map(({ id, group, title, why, fix, writes }) =>
    [`\`${id}\``, group, writes ? `${title} (\`--write\`)` : title, why, fix].map(cell).join(' | '),
  )
  const head = ['check', 'group', 'what is right', 'why it matters', 'what to do'].join(' | ')
  return [`| ${head} |`, '|---|---|---|---|---|', ...rows.map((row) => `| ${row} |`)].join('\n')
}

/** Angle brackets would be markup. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
