// A human-readable report: one line for each check, below it what is wrong, why it matters and what to do, then a
// summary.

import type pc from 'picocolors'
import { plainText } from '../lib/plain-text.ts'
import type { Check } from './check.ts'
import type { Report } from './report.ts'
import type { CheckResult } from './run-checks.ts'

type Colors = ReturnType<typeof pc.createColors>

export function reportLines({ url, checks, summary }: Report, colors: Colors): string[] {
  const lines: string[] = [colors.bold(plainText(url))]
  let group = ''
  for (const check of checks) {
    if (check.group !== group) lines.push('', colors.bold(check.group))
    group = check.group
    lines.push(...checkLines(check, colors))
  }
  const { passed, failed, skipped, findings } = summary
  const total = `${passed} passed, ${failed} failed, ${skipped} skipped; ${findings} finding${findings === 1 ? '' : 's'}`
  return [...lines, '', colors[findings === 0 ? 'green' : 'red'](total)]
}

function checkLines({ id, title, state, reason, findings }: CheckResult, colors: Colors): string[] {
  if (state === 'passed') return [`  ${colors.green('ok')}    ${title} ${colors.dim(`(${id})`)}`]
  if (state === 'skipped') {
    return [`  ${colors.yellow('skip')}  ${title} ${colors.dim(`(${id}): ${reason ?? ''}`)}`]
  }
  return [
    `  ${colors.red('FAIL')}  ${title} ${colors.dim(`(${id})`)}`,
    ...findings.map(({ what }) => `        ${colors.red(what)}`),
    `        why: ${findings[0]?.why ?? ''}`,
    `        do:  ${findings[0]?.fix ?? ''}`,
  ]
}

/** The list of checks, for `--list` and for the page. */
export function checkTable<Context>(checks: readonly Check<Context>[]): string[][] {
  return checks.map(({ id, group, title, writes }) => [id, group, writes ? '--write' : '', title])
}
