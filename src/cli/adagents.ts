// `adwire adagents create`: an adagents.json from flags or from a file of its parts, checked before it is printed.

import { Command, Option } from 'commander'
import { exitCodesHelp } from './exit-codes.ts'
import { repeatable } from './repeatable.ts'
import { addSettings } from './settings-options.ts'

const TYPES = ['website', 'mobile_app', 'ctv_app', 'dooh', 'podcast', 'radio', 'streaming_audio']

export function adagentsCommand(): Command {
  const creating = new Command('create')
    .description(
      'Create an adagents.json that authorizes agents to sell one property, or build it from its parts.',
    )
    .option('--domain <domain>', 'domain of the property, which also publishes the file')
    .option('--agent <url>', 'agent that may sell the property; repeatable', repeatable)
    .option('--for <text>', 'what the agents are authorized to sell', 'All advertising')
    .addOption(new Option('--property-type <type>', 'type of property').choices(TYPES))
    .option('--property-name <text>', 'name of the property. Default: the domain')
    .option('--countries <codes>', 'only these countries, such as US,CA')
    .option('--until <date>', 'last day of the authorizations, such as 2027-01-31')
    .option(
      '--parts <file>',
      'read the members of the file as JSON instead of the flags; - reads standard input',
    )
    .option('--out <file>', 'write to this file; an existing file is never overwritten')
    .option('--no-timestamp', 'omit last_updated')
    .option('--schema', 'add $schema')
    .addHelpText(
      'after',
      exitCodesHelp({
        ok: 'the file was created',
        fault: 'the file would contain errors: they are printed, and nothing is written',
        usage: 'usage error: an unknown flag or a bad value',
      }),
    )
  return new Command('adagents').description('Create an adagents.json.').addCommand(
    addSettings(creating, ['protocolName', 'egressAllowHttp']).action(
      async (flags: Record<string, unknown>) =>
        // Loaded only here: loading schemas takes time.
        (await import('./adagents-work.ts')).create(flags),
    ),
  )
}
