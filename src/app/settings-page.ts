// docs/settings.md, from the table of settings.

import { RECEIVE_SETTINGS } from './receive-settings.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'

export function settingsPage(): string {
  return `# Settings

Each setting is an environment variable and a flag of \`adwire serve\`; the flag wins. A flag without a
value turns its setting on, and with \`no-\` before its name off: \`--no-console\`. A value that
cannot be used stops the start with the name of the setting and what would be right. This page is
generated: \`npm run docs\`.

${tableOf(Object.values(SETTINGS))}

With \`--demo\`, \`ADWIRE_EGRESS_ALLOW\` also holds 127.0.0.0/8 and ::1/128,
\`ADWIRE_EGRESS_ALLOW_HTTP\` is on, and \`ADWIRE_SIGNALS_ACCOUNTS\` is \`any\` unless it is set.

## Settings of \`adwire receive\`

${tableOf(Object.values(RECEIVE_SETTINGS))}

What it shares with a server, and its other flags, are listed by \`adwire receive --help\`.
`
}

function tableOf(settings: readonly Setting<unknown>[]): string {
  const rows = settings.map(
    ({ env, flag, placeholder, about, default: fallback }) =>
      `| \`${env}\` | \`--${flag}${placeholder ? ` <${placeholder}>` : ''}\` | ${fallback === '' ? 'not set' : `\`${fallback}\``} | ${about} |`,
  )
  return ['| variable | flag | default | what it does |', '|---|---|---|---|', ...rows].join('\n')
}
