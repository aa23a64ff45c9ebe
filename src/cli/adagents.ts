// `adwire adagents create`: an adagents.json from flags or from a file of its parts, checked before it is printed.

import { Command, Option } from 'commander'
import { exitCodesHelp } from './exit-codes.ts'
import { repeatable } from './repeatable.ts'
import { addSettings } from './settings-options.ts'

const TYPES = ['website', 'mobile_app', 'ctv_app', 'dooh', 'podcast', 'radio', 'streaming_audio']

export function adagentsCommand(): Command {
  const creating = new Command('create')
    .description(
      'Make an adagents.json that authorizes agents for one property, or one from all its parts.',
    )
    .option('--domain <domain>', 'the domain that publishes it, which is the property')
    .option('--agent <url>', 'agent that may sell the property; may be repeated', repeatable)
    .option('--for <text>', 'what the agents are authorized for', 'All advertising')
    .addOption(new Option('--property-type <type>', 'kind of property').choices(TYPES))
    .option('--property-name <text>', 'name of the property. Default: the domain')
    .option('--countries <codes>', 'only these countries, such as US,CA')
    .option('--until <date>', 'when the authorizations end, such as 2027-01-31')
    .option('--parts <file>', 'members of the file as JSON, in place of the flags; - is stdin')
    .option('--out <file>', 'write it there; an existing file is not replaced')
    .option('--no-timestamp', 'leave last_updated out')
    .option('--schema', 'name its schema in $schema')
    .addHelpText(
      'after',
      exitCodesHelp({
        ok: 'the file was made',
        fault: 'the file would have errors: each is printed, and nothing is written',
        usage: 'usage error: an unknown flag or a bad value',
      }),
    )
  return new Command('adagents').description('Make an adagents.json.').addCommand(
    addSettings(creating, ['protocolName', 'egressAllowHttp']).action(
      async (flags: Record<string, unknown>) =>
        // Loaded only here: loading schemas takes time.
        (await import('./adagents-work.ts')).create(flags),
    ),
  )
}
