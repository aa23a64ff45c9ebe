// `adwire call`: calls a task of another agent, manually or from a script. Unknown flags are members of the request
// and can only be interpreted after querying the agent: the code that does it is loaded then.

import { Command, Option } from 'commander'
import { DEFAULT_RELEASE } from '../protocol/releases/release.ts'
import { TRANSPORTS } from './agents-file.ts'
import type { CallFlags } from './call-work.ts'
import { AGENT_ARGUMENT } from './completion-tree.ts'
import { exitCodesHelp } from './exit-codes.ts'
import { ALLOW_PRIVATE } from './own-egress.ts'
import { addSettings } from './settings-options.ts'

const EXAMPLES = `
Examples:
  adwire call https://agent.example                        lists its tasks
  adwire call https://agent.example get_signals --help     lists what the task takes
  adwire call https://agent.example get_signals --signal-spec "people about to buy a car" --auth -
  adwire call acme activate_signal @request.json --wait    acme was saved with adwire agents add
  adwire call http://127.0.0.1:8420 activate_signal @request.json --wait --receive http://127.0.0.1:8422

Members of the request are flags of their own, --signal-spec for signal_spec; they win over the JSON.
The key: --auth, else that of the saved agent, else ADWIRE_CALL_KEY.`

export function callCommand(): Command {
  const command = new Command('call')
    .description('Call a task of an agent, or list its tasks.')
    .usage('<agent> [task] [json|@file|-] [options] [--member-of-the-request value …]')
    .argument(`[${AGENT_ARGUMENT}]`, 'its URL, or its saved name')
    .argument('[task]', 'the task; without it the tasks are listed')
    .argument('[json]', 'the request: JSON, @file, or - for standard input')
    .option('--wait', 'follow the task to its end')
    .option('--watch', 'the same, and print each change of its status')
    .option(
      '--receive <url>',
      'with --wait: take webhooks too, at this address that the agent reaches',
    )
    .option(
      '--receive-port <n>',
      'port of 127.0.0.1 that is behind that address. Default: its own port',
    )
    .option(
      '--poll-interval <time>',
      'time between two polls. Default 2s, growing to 30s; 2m with --receive',
    )
    .option('--json', 'print the answer as it is, on one line; failures too')
    .addOption(
      new Option('--transport <transport>', 'how to call it. Default: found out').choices(
        TRANSPORTS,
      ),
    )
    .option(
      '--auth <key>',
      'bearer key; - prompts for it or reads standard input, @file reads a file',
    )
    .option('--sign-key <file>', 'private JWK that signs every request')
    .option(
      '--timeout <time>',
      'longest time of all, such as 30s or 10m. Default 60s; 15m with --wait',
    )
    .option(
      '--protocol-version <release>',
      'protocol release to request; none omits it',
      DEFAULT_RELEASE,
    )
    .option(...ALLOW_PRIVATE)
    .option('-h, --help', 'show help; after an agent and a task, the fields of the task')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', EXAMPLES)
    .addHelpText('after', exitCodesHelp())
  return addSettings(command, ['protocolName']).action(async () => {
    const flags = command.opts<CallFlags>()
    const [agent, task, ...words] = command.args
    if (flags.help && task === undefined) return command.outputHelp()
    if (agent === undefined || agent.startsWith('-')) {
      return command.error("error: missing required argument 'agent'")
    }
    if (task?.startsWith('-')) {
      return command.error(`error: ${task} is not an option: give the task before its fields`)
    }
    const own = command.options.flatMap(({ long }) => long ?? [])
    return (await import('./call-work.ts')).call({ agent, task, words, own, flags })
  })
}
