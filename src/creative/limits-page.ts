// The limits of the creative agent as the page docs/creative-limits.md, made by `npm run docs`.

import { CREATIVE_LIMITS, type CreativeLimit } from './limits.ts'

export function limitsPage(): string {
  return `# Limits of the creative agent

How much of anything one call may bring or ask for, and what happens beyond. What strangers send is measured
before work is done on it. How much may run and wait is told in [operations.md](operations.md#the-workshop).
This page is generated: \`npm run docs\`.

| limit | value | of | beyond it |
|---|---|---|---|
${CREATIVE_LIMITS.map(rowOf).join('\n')}
`
}

function rowOf({ name, value, of, beyond }: CreativeLimit): string {
  return `| \`${name}\` | ${value.toLocaleString('en')} | ${of} | ${beyond} |`
}
