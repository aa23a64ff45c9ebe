// `adwire doctor`: checks an agent, or a receiver of webhooks, and prints for each finding what is wrong, why it
// matters and what to do. Exits with 0 when nothing was found, 1 with findings, 2 for wrong usage, 3 when nobody
// responds.

import { Command } from 'commander'
import { addSettings } from './settings-options.ts'

export function doctorCommand(): Command {
  const command = new Command('doctor')
    .description(
      'Examine an agent or a webhook receiver: what is wrong, why it matters, what to do.',
    )
    .argument('[agent-url]', 'the agent, such as https://ads.example or https://ads.example/mcp')
    .option('--receiver <url>', 'examine this receiver of webhooks in place of an agent')
    .option('--auth <key>', 'key to call the agent with; @file reads it from a file')
    .option('--other-auth <key>', 'key of another caller of the agent; @file as for --auth')
    .option(
      '--write',
      'also try what changes something: begins tasks that cost nothing, with webhooks',
    )
    .option(
      '--receiver-base-url <url>',
      'where the agent reaches the doctor’s own webhook receiver',
    )
    .option(
      '--receiver-listen <host:port>',
      'where that receiver listens. Default 127.0.0.1, a free port',
    )
    .option('--serve-keys <host:port>', 'publish keys here, that the receiver finds by brand.json')
    .option(
      '--keys-file <file>',
      'where the keys of --serve-keys are kept for the next time',
      '.adwire-doctor-keys.json',
    )
    .option(
      '--agent-url <url>',
      'the agent URL that the receiver trusts. Default http://<serve-keys>/agent',
    )
    .option(
      '--key <file>',
      'private key (JWK) that the receiver knows already, in place of --serve-keys',
    )
    .option(
      '--hmac <secret>',
      'examine a route with legacy HMAC; @file reads the secret from a file',
    )
    .option('--bearer <token>', 'examine a route with legacy Bearer; @file as for --hmac')
    .option(
      '--token <token>',
      'token of the registration, that each delivery must bring; @file as for --hmac',
    )
    .option('--only <names>', 'only these checks or groups, separated by commas')
    .option('--list', 'list the checks without making requests')
    .option('--timeout-seconds <n>', 'longest time of one call')
    .option('--webhook-wait-seconds <n>', 'longest wait for webhooks')
    .option('--json', 'print the report as JSON')
  return addSettings(command, [...SHARED_SETTINGS]).action(
    async (agentUrl: string | undefined, flags: Record<string, unknown>) =>
      // Loaded only here: loading schemas takes time.
      (await import('./doctor-work.ts')).doctor(agentUrl, flags),
  )
}

const SHARED_SETTINGS = [
  ...(['protocolName', 'egressAllow', 'egressAllowHttp', 'dns', 'dnsServers'] as const),
]
