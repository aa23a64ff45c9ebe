// `adwire receive`: a buyer's receiver of webhooks as a separate process.

import { Command } from 'commander'
import { RECEIVE_DEFAULTS, type ReceiveFlags, readReceiveFlags } from '../app/receive/options.ts'
import { RECEIVE_SETTINGS } from '../app/receive-settings.ts'
import { repeatable } from './repeatable.ts'
import { addSetting, addSettings, configFrom, readSetting } from './settings-options.ts'
import { UsageError } from './terminal.ts'

export function receiveCommand(): Command {
  const command = new Command('receive')
    .description(
      'Receive webhooks: verify, store, acknowledge, and pass each one on once, in order.',
    )
    .option('--port <n>', 'port to listen on; 0 picks a free port', RECEIVE_DEFAULTS.port)
    .option('--host <address>', 'address to listen on', RECEIVE_DEFAULTS.host)
    .option(
      '--data <dir>',
      'folder of the SQLite database; only one process can use it, so use PostgreSQL for several',
      RECEIVE_DEFAULTS.data,
    )
    .option('--public-url <url>', 'URL at which senders reach this server')
  addSenders(command)
  addStorageAndOutput(command)
  return addSetting(addSettings(command, SHARED_SETTINGS), webhookDuplicates).action(run)
}

/** Whose webhooks are accepted, and how each of them is authenticated. */
function addSenders(command: Command): void {
  command
    .option(
      '--trust <agent-url[=jwks-url]>',
      'seller whose signatures are accepted; repeatable',
      repeatable,
    )
    .option(
      '--publisher <domain[=agent-url]>',
      'publisher whose adagents.json may pin the keys of all sellers, or of one; repeatable',
      repeatable,
    )
    .option(
      '--registry <url>',
      'registry from which key sets and pins of sellers are read first, before their own sites',
    )
    .option(
      '--registry-key <key>',
      'key of an organisation in that registry, for pins; @file as for --hmac',
    )
    .option(
      '--pin <agent-url=@file>',
      'accept only these public keys of a seller, from a JWKS file; repeatable',
      repeatable,
    )
    .option(
      '--hmac <route=secret>',
      'route with legacy HMAC; @file reads the secret from a file; repeatable',
      repeatable,
    )
    .option(
      '--bearer <route=token>',
      'route with legacy Bearer; @file as for --hmac; repeatable',
      repeatable,
    )
    .option(
      '--sender <route=agent-url>',
      'seller of a route, so that a message counts once, signed or not; repeatable',
      repeatable,
    )
    .option(
      '--token <route=token>',
      'token that each delivery must carry; @file as for --hmac; repeatable',
      repeatable,
    )
}

/** How much is stored, for how long, and where each message goes. */
function addStorageAndOutput(command: Command): void {
  command
    .option(
      '--max-keys-per-sender <n>',
      'maximum number of keys stored per sender; above it, the response is 429',
      RECEIVE_DEFAULTS.maxKeysPerSender,
    )
    .option(
      '--max-bytes-per-sender <n>',
      'maximum size of all bodies stored per sender; above it, the response is 429',
      RECEIVE_DEFAULTS.maxBytesPerSender,
    )
    .option(
      '--retention-hours <n>',
      'how long a key is remembered, at least 24 (default: 48; 168 with strict)',
    )
    .option(
      '--out <file>',
      'append each message once to this file, as a line of JSON; no other process may write to it',
    )
    .option(
      '--exec <command>',
      'run this command for each message, with the JSON on standard input',
    )
    .option(
      '--exec-timeout-seconds <n>',
      'maximum run time of the command',
      RECEIVE_DEFAULTS.execTimeoutSeconds,
    )
    .option('--forward <url>', 'POST the JSON of each message to this URL')
}

const { webhookDuplicates } = RECEIVE_SETTINGS

const SHARED_SETTINGS = [
  'databaseUrl',
  'databaseSchema',
  'databasePool',
  'protocolName',
  'egressAllow',
  'egressAllowHttp',
  'dns',
  'dnsServers',
  'logLevel',
  'logFormat',
] as const

/** Options that may be given several times. */
const NONE_GIVEN = {
  trust: [],
  publisher: [],
  pin: [],
  hmac: [],
  bearer: [],
  sender: [],
  token: [],
}

async function run(flags: ReceiveFlags & Record<string, unknown>): Promise<void> {
  const shared = configFrom(Object.fromEntries(SHARED_SETTINGS.map((key) => [key, flags[key]])))
  const read = readReceiveFlags(
    { ...NONE_GIVEN, ...flags },
    { ...shared, webhookDuplicates: readSetting(webhookDuplicates, flags.webhookDuplicates) },
  )
  if (!read.ok) throw new UsageError(read.error)
  // Loaded only here: the other commands start several times faster without it.
  const { receive } = await import('../app/receive/receive.ts')
  await receive(read.config)
}
