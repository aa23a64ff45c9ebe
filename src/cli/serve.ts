// `adwire serve`: one process that contains everything. Its help lists the main options first, the others by subject.

import { Command } from 'commander'
import { CALLER_SETTINGS } from '../app/caller-settings.ts'
import type { SettingKey } from '../app/config.ts'
import { CONSOLE_SETTINGS } from '../app/console-settings.ts'
import { CRAWL_SETTINGS } from '../app/crawl-settings.ts'
import { CREATIVE_SETTINGS } from '../app/creative-settings.ts'
import { DELIVERY_SETTINGS } from '../app/delivery-settings.ts'
import { DEMO_SETTINGS } from '../app/demo/demo-settings.ts'
import { LOG_SETTINGS } from '../app/log-settings.ts'
import { MCP_SETTINGS } from '../app/mcp-settings.ts'
import { MEDIA_BUY_SETTINGS } from '../app/media-buy-settings.ts'
import { QUOTA_SETTINGS } from '../app/quota-settings.ts'
import { RELEASE_SETTINGS } from '../app/release-settings.ts'
import { SANDBOX_SETTINGS } from '../app/sandbox-settings.ts'
import { SIGNAL_SETTINGS } from '../app/signal-settings.ts'
import { SIGNING_SETTINGS } from '../app/signing-settings.ts'
import { ALL_SETTINGS, addSettings, configFrom } from './settings-options.ts'

const MAIN: readonly SettingKey[] = [
  'host',
  'port',
  'data',
  'databaseUrl',
  'publicUrl',
  'protocolName',
  'demo',
  'sandbox',
  'keySecret',
  'logLevel',
]
const OTHERS = 'Network, database, webhooks and registry:'

/** The tables of settings that have a heading of their own. */
const SUBJECTS: readonly (readonly [string, ...object[]])[] = [
  [
    'Demo, sandbox, console and logs:',
    DEMO_SETTINGS,
    SANDBOX_SETTINGS,
    CONSOLE_SETTINGS,
    LOG_SETTINGS,
  ],
  ['Protocol releases and MCP:', RELEASE_SETTINGS, MCP_SETTINGS],
  ['Signing, and calls to other agents:', SIGNING_SETTINGS, CALLER_SETTINGS],
  ['Quotas:', QUOTA_SETTINGS],
  ['Creatives:', CREATIVE_SETTINGS],
  ['Signals:', SIGNAL_SETTINGS],
  ['Media buys and delivery reports:', MEDIA_BUY_SETTINGS, DELIVERY_SETTINGS],
  ['Crawler:', CRAWL_SETTINGS],
]

export function serveCommand(): Command {
  const command = new Command('serve').description(
    'Run the server. Every option is also an environment variable.',
  )
  addGroup(command, 'Main options:', MAIN)
  const others = ALL_SETTINGS.filter((key) => !MAIN.includes(key))
  addGroup(
    command,
    OTHERS,
    others.filter((key) => subjectOf(key) === OTHERS),
  )
  for (const [subject] of SUBJECTS) {
    addGroup(
      command,
      subject,
      others.filter((key) => subjectOf(key) === subject),
    )
  }
  return command.action(async (options: Record<string, unknown>) => {
    const config = configFrom(options)
    // Loaded only here: the other commands start several times faster without it.
    const { serve } = await import('../app/main.ts')
    await serve(config)
  })
}

function subjectOf(key: SettingKey): string {
  return (
    SUBJECTS.find(([, ...tables]) => tables.some((table) => Object.hasOwn(table, key)))?.[0] ??
    OTHERS
  )
}

function addGroup(command: Command, heading: string, keys: readonly SettingKey[]): void {
  const before = command.options.length
  addSettings(command, keys)
  for (const option of command.options.slice(before)) option.helpGroup(heading)
}
