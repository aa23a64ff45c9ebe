// `adwire webhook emit|subscribe|unsubscribe`: webhooks that are not about a task (spec 6.4), sent manually or by a
// script. They go into the outbox, and the servers on the same database sign, deliver and retry them.

import { Argument, type Command } from 'commander'
import { WEBHOOK_FAMILIES, type WebhookFamily } from '../protocol/webhook-family.ts'
import { addSettings, storageCommand } from './settings-options.ts'
import { UsageError } from './terminal.ts'
import type { EmitFlags, SubscribeFlags, UnsubscribeFlags } from './webhook-emit-work.ts'

const working = () => import('./webhook-emit-work.ts')

/** The public protocol's name for the last family. */
const ALIASES: ReadonlyMap<string, WebhookFamily> = new Map([
  ['revocation-notification', 'revocation'],
])

function familyArgument(): Argument {
  return new Argument('<family>', `${WEBHOOK_FAMILIES.join(', ')}, revocation-notification`)
}

function familyOf(text: string): WebhookFamily {
  const found = ALIASES.get(text) ?? WEBHOOK_FAMILIES.find((family) => family === text)
  if (found) return found
  throw new UsageError(`no webhook family ${text}: use one of ${WEBHOOK_FAMILIES.join(', ')}`)
}

export function emitCommand(): Command {
  return withEgress(storageCommand('emit'))
    .description(
      'Send a webhook that belongs to no task: a changed list, artifacts, revoked rights.',
    )
    .addArgument(familyArgument())
    .requiredOption('--body <@file>', 'the body, a JSON object without idempotency_key')
    .option('--to <url>', 'send to this URL')
    .option('--principal <id>', 'send to the subscriptions of this principal')
    .option('--json', 'print {"deliveries": […]}')
    .action(async (family: string, flags: EmitFlags) =>
      (await working()).emit(familyOf(family), flags),
    )
}

export function subscribeCommand(): Command {
  return withEgress(storageCommand('subscribe'))
    .description('Register or change the URL where a principal receives a webhook family.')
    .addArgument(familyArgument())
    .requiredOption('--principal <id>', 'principal that owns the subscription')
    .requiredOption(
      '--config <@file>',
      '{"url", "token", "authentication"}: see push_notification_config',
    )
    .option('--name <name>', 'label, if a principal has several subscriptions', 'default')
    .action(async (family: string, flags: SubscribeFlags) =>
      (await working()).subscribe(familyOf(family), flags),
    )
}

export function unsubscribeCommand(): Command {
  return storageCommand('unsubscribe')
    .description('Delete the registration of a webhook family. Pending deliveries are cancelled.')
    .addArgument(familyArgument())
    .requiredOption('--principal <id>', 'principal that owns the subscription')
    .option('--name <name>', 'label of the subscription', 'default')
    .action(async (name: string, flags: UnsubscribeFlags) =>
      (await working()).unsubscribe(familyOf(name), flags),
    )
}

/** Adds the settings for checking an address and for encrypting the secrets of its channel. */
function withEgress(command: Command): Command {
  return addSettings(command, [
    ...(['egressAllow', 'egressAllowHttp', 'keySecret', 'allowBearerWebhooks'] as const),
  ])
}
