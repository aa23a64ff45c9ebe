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
  ok: 'the receiver accepted it, each time',
  usage: 'usage error: an unknown flag or a bad value; nothing was sent',
  unreachable: 'the receiver could not be reached',
  unauthorized: 'the receiver refused the signature or the credentials (401)',
  refused: 'the receiver refused it otherwise',
  timeout: 'no answer came in time',
}

export function sendCommand(): Command {
  const command = new Command('send')
    .description('Send a signed test webhook to a receiver and explain its response.')
    .requiredOption('--to <url>', 'the receiver')
    .addOption(new Option('--kind <kind>', 'event').choices(SEND_KINDS).default('status'))
    .option('--body <@file>', 'a body of one’s own, a JSON object, sent as it is; - reads it')
    .option('--key <file>', 'sign with this private key, a JWK with kid and d. Default: a new key')
    .option('--make-key', 'make the key and keep it in the file of --key, if there is none')
    .option(
      '--serve-keys <port>',
      'publish brand.json and the key on this port of 127.0.0.1 meanwhile',
    )
    .option(
      '--hmac <secret>',
      'legacy HMAC-SHA256 instead; @file reads it from a file, - from input',
    )
    .option('--bearer <token>', 'legacy Bearer instead; @file and - as for --hmac')
    .option('--token <token>', 'token of the registration; @file and - as for --hmac')
    .addOption(
      new Option('--transport <transport>', 'form of the body')
        .choices(['mcp', 'a2a', 'a2a-1.0'])
        .default('mcp'),
    )
    .addOption(new Option('--status <status>', 'of the task').choices(STATUSES))
    .option('--task-id <id>', 'the task. Default: a new one')
    .option('--task-type <name>', 'the task’s name. Default: activate_signal')
    .option('--operation-id <id>', 'the buyer’s own id for the operation')
    .option('--context-id <id>', 'the conversation')
    .option('--message <text>', 'a sentence for people')
    .option('--result <json>', 'what belongs to the status: JSON, @file or -')
    .option('--media-buy-id <id>', 'of a report, an impairment or an artifact', 'mb_test')
    .addOption(
      new Option('--notification <type>', 'why a report is sent')
        .choices(NOTIFICATIONS)
        .default('scheduled'),
    )
    .option('--sequence <n>', 'place of a report in its stream', '1')
    .option('--idempotency-key <key>', 'key of the event. Default: a new one')
    .option(
      '--repeat <n>',
      'send the same webhook this many more times: a receiver acknowledges each and acts once',
    )
    .option('--timeout <time>', 'longest wait for an answer', '15s')
    .option(...ALLOW_PRIVATE)
    .option('--json', 'print one line of JSON for each time it was sent')
    .addHelpText('after', exitCodesHelp(ENDINGS))
  return addSettings(command, ['protocolName']).action(async (flags: SendFlags) =>
    (await import('./webhook-send-work.ts')).send(flags),
  )
}
