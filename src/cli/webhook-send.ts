// `adwire webhook send`: sends a signed test webhook to a receiver, for the engineer who builds one. It needs no
// database and no server: the webhook is created, signed and posted here, once or several times.

import { Command, Option } from 'commander'
import { WEBHOOK_FAMILIES } from '../protocol/webhook-family.ts'
import { exitCodesHelp } from './exit-codes.ts'
import { ALLOW_PRIVATE } from './own-egress.ts'
import { addSettings } from './settings-options.ts'
import type { SendFlags } from './webhook-send-work.ts'

/** @internal */
export const SEND_KINDS = ['status', 'report', 'impairment', ...WEBHOOK_FAMILIES] as const
/** The names of statuses, without their schema, which the help does not need. */
const STATUSES = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
]
const NOTIFICATIONS = ['scheduled', 'final', 'delayed', 'adjusted']

const ENDINGS = {
  ok: 'the receiver accepted every request',
  usage: 'usage error: an unknown flag or a bad value; nothing was sent',
  unreachable: 'the receiver could not be reached',
  unauthorized: 'the receiver refused the signature or the credentials (401)',
  refused: 'the receiver refused it for another reason',
  timeout: 'timeout',
}

export function sendCommand(): Command {
  const command = new Command('send')
    .description('Send a signed test webhook to a receiver and explain its response.')
    .requiredOption('--to <url>', 'the receiver')
    .addOption(new Option('--kind <kind>', 'event').choices(SEND_KINDS).default('status'))
    .option(
      '--body <@file>',
      'send this JSON object as the body, unchanged; - reads standard input',
    )
    .option('--key <file>', 'sign with this private key, a JWK with kid and d; default: a new key')
    .option('--make-key', 'if the file of --key does not exist, create a key in it')
    .option(
      '--serve-keys <port>',
      'publish brand.json and the key on this port of 127.0.0.1 while the command runs',
    )
    .option(
      '--hmac <secret>',
      'use legacy HMAC-SHA256 instead; @file reads it from a file, - from standard input',
    )
    .option('--bearer <token>', 'use legacy Bearer instead; @file and - as for --hmac')
    .option('--token <token>', 'token of the registration; @file and - as for --hmac')
    .addOption(
      new Option('--transport <transport>', 'format of the body')
        .choices(['mcp', 'a2a', 'a2a-1.0'])
        .default('mcp'),
    )
    .addOption(new Option('--status <status>', 'status of the task').choices(STATUSES))
    .option('--task-id <id>', 'id of the task; default: a new id')
    .option('--task-type <name>', 'name of the task; default: activate_signal')
    .option('--operation-id <id>', 'the buyer’s own id of the operation')
    .option('--context-id <id>', 'the conversation')
    .option('--message <text>', 'human-readable message')
    .option('--result <json>', 'payload for the status: JSON, @file or -')
    .option('--media-buy-id <id>', 'media buy of a report, an impairment or an artifact', 'mb_test')
    .addOption(
      new Option('--notification <type>', 'reason for sending a report')
        .choices(NOTIFICATIONS)
        .default('scheduled'),
    )
    .option('--sequence <n>', 'sequence number of the report in its stream', '1')
    .option('--idempotency-key <key>', 'key of the event; default: a new key')
    .option(
      '--repeat <n>',
      'send the same webhook this many more times: a receiver must acknowledge each and process it once',
    )
    .option('--timeout <time>', 'maximum time to wait for a response', '15s')
    .option(...ALLOW_PRIVATE)
    .option('--json', 'print one line of JSON per request')
    .addHelpText('after', exitCodesHelp(ENDINGS))
  return addSettings(command, ['protocolName']).action(async (flags: SendFlags) =>
    (await import('./webhook-send-work.ts')).send(flags),
  )
}
