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
  adwire call https://agent.example                        lists the tasks of the agent
  adwire call https://agent.example get_signals --help     lists the fields of the task
  adwire call https://agent.example get_signals --signal-spec "people about to buy a car" --auth -
  adwire call acme activate_signal @request.json --wait    acme is an agent saved with adwire agents add
  adwire call http://127.0.0.1:8420 activate_signal @request.json --wait --receive http://127.0.0.1:8422

Every field of the request is also a flag, such as --signal-spec for signal_spec. Flags override the JSON.
The key is taken from --auth, the saved agent, or ADWIRE_CALL_KEY, in this order.`

export function callCommand(): Command {
  const command = new Command('call')
    .description('Call a task of an agent, or list its tasks.')
    .usage('<agent> [task] [json|@file|-] [options] [--member-of-the-request value …]')
    .argument(`[${AGENT_ARGUMENT}]`, 'URL of the agent, or the name it was saved under')
    .argument('[task]', 'name of the task; omit it to list the tasks')
    .argument('[json]', 'the request: JSON, @file, or - for standard input')
    .option('--wait', 'wait until the task has ended')
    .option('--watch', 'like --wait, and print each status change')
    .option(
      '--receive <url>',
      'with --wait: also receive webhooks, at this URL, which the agent must be able to reach',
    )
    .option('--receive-port <n>', 'local port that receives them; default: the port of that URL')
    .option(
      '--poll-interval <time>',
      'time between polls; default: 2s, increasing to 30s; 2m with --receive',
    )
    .option('--json', 'print the raw response on one line, errors included')
    .addOption(
      new Option('--transport <transport>', 'how to call it; detected by default').choices(
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
      'maximum total time, such as 30s or 10m; default: 60s, or 15m with --wait',
    )
    .option(
      '--protocol-version <release>',
      'protocol release to request; none sends no release',
      DEFAULT_RELEASE,
    )
    .option(...ALLOW_PRIVATE)
    .option('-h, --help', 'show help; with an agent and a task, also show the fields of the task')
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
