// `adwire doctor`: checks an agent, or a receiver of webhooks, and prints for each finding what is wrong, why it
// matters and what to do. Exits with 0 when nothing was found, 1 with findings, 2 for wrong usage, 3 when no one
// responds.

import { Command } from 'commander'
import { addSettings } from './settings-options.ts'

export function doctorCommand(): Command {
  const command = new Command('doctor')
    .description(
      'Examine an agent or a webhook receiver: what is wrong, why it matters, and how to fix it.',
    )
    .argument(
      '[agent-url]',
      'URL of the agent, such as https://ads.example or https://ads.example/mcp',
    )
    .option('--receiver <url>', 'examine this webhook receiver instead of an agent')
    .option('--auth <key>', 'key for calls to the agent; @file reads it from a file')
    .option('--other-auth <key>', 'key of another caller of the agent; @file as for --auth')
    .option(
      '--write',
      'also run checks that change something: start tasks that cost nothing, with webhooks',
    )
    .option(
      '--receiver-base-url <url>',
      'URL at which the agent reaches the doctor’s own webhook receiver',
    )
    .option(
      '--receiver-listen <host:port>',
      'address of that receiver; default: 127.0.0.1, a free port',
    )
    .option(
      '--serve-keys <host:port>',
      'publish keys at this address, where the receiver finds them through brand.json',
    )
    .option(
      '--keys-file <file>',
      'file in which --serve-keys keeps its keys for the next run',
      '.adwire-doctor-keys.json',
    )
    .option(
      '--agent-url <url>',
      'agent URL that the receiver trusts; default: http://<serve-keys>/agent',
    )
    .option(
      '--key <file>',
      'private key (JWK) that the receiver already knows, instead of --serve-keys',
    )
    .option(
      '--hmac <secret>',
      'examine a route with legacy HMAC; @file reads the secret from a file',
    )
    .option('--bearer <token>', 'examine a route with legacy Bearer; @file as for --hmac')
    .option(
      '--token <token>',
      'token of the registration, which each delivery must carry; @file as for --hmac',
    )
    .option('--only <names>', 'run only these checks or groups, separated by commas')
    .option('--list', 'list the checks without making requests')
    .option('--timeout-seconds <n>', 'maximum time of one call')
    .option('--webhook-wait-seconds <n>', 'maximum time to wait for webhooks')
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
