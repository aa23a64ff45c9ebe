// `adwire receive`: a buyer's receiver of webhooks as a separate process.

import { Command } from 'commander'
import { RECEIVE_DEFAULTS, type ReceiveFlags, readReceiveFlags } from '../app/receive/options.ts'
import { RECEIVE_SETTINGS } from '../app/receive-settings.ts'
import { repeatable } from './repeatable.ts'
import { addSetting, addSettings, configFrom, readSetting } from './settings-options.ts'
import { UsageError } from './terminal.ts'

export function receiveCommand(): Command {
  const command = new Command('receive')
    .description('Receive webhooks: verify, store, acknowledge, and hand each on once, in order.')
    .option('--port <n>', 'port to listen on; 0 takes a free one', RECEIVE_DEFAULTS.port)
    .option('--host <address>', 'address to listen on', RECEIVE_DEFAULTS.host)
    .option(
      '--data <dir>',
      'folder of the SQLite database, for one process at a time; several share a PostgreSQL',
      RECEIVE_DEFAULTS.data,
    )
    .option('--public-url <url>', 'address under which senders reach this server')
    .option(
      '--trust <agent-url[=jwks-url]>',
      'a seller whose signatures are accepted; repeatable',
      repeatable,
    )
    .option(
      '--publisher <domain[=agent-url]>',
      'a publisher whose adagents.json may pin the keys of the sellers, or of one; repeatable',
      repeatable,
    )
    .option(
      '--registry <url>',
      'a registry to read the key sets and pins of the sellers from, before their own sites',
    )
    .option('--registry-key <key>', 'key of an organisation there, for pins; @file as for --hmac')
    .option(
      '--pin <agent-url=@file>',
      'accept these public keys of a seller and no others, from a JWKS file; repeatable',
      repeatable,
    )
    .option(
      '--hmac <route=secret>',
      'a route with legacy HMAC; @file reads the secret from a file; repeatable',
      repeatable,
    )
    .option(
      '--bearer <route=token>',
      'a route with legacy Bearer; @file as for --hmac; repeatable',
      repeatable,
    )
    .option(
      '--sender <route=agent-url>',
      'the seller of a route, so that a message counts once, signed or not; repeatable',
      repeatable,
    )
    .option(
      '--token <route=token>',
      'token that each delivery must bring; @file as for --hmac; repeatable',
      repeatable,
    )
    .option(
      '--max-keys-per-sender <n>',
      'keys kept of one sender, before it is answered 429',
      RECEIVE_DEFAULTS.maxKeysPerSender,
    )
    .option(
      '--max-bytes-per-sender <n>',
      'what the bodies kept of one sender may take, before it is answered 429',
      RECEIVE_DEFAULTS.maxBytesPerSender,
    )
    .option(
      '--retention-hours <n>',
      'how long a key is remembered, 24 or more (default: 48, with strict 168)',
    )
    .option('--out <file>', 'append each message once, as a line of JSON; a file of its own')
    .option('--exec <command>', 'run for each message, with its JSON on standard input')
    .option(
      '--exec-timeout-seconds <n>',
      'longest time the command may take',
      RECEIVE_DEFAULTS.execTimeoutSeconds,
    )
    .option('--forward <url>', 'POST the JSON of each message to this server')
  return addSetting(addSettings(command, SHARED_SETTINGS), webhookDuplicates).action(run)
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
