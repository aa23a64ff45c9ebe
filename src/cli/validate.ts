// `adwire validate`: reports every error in a file that a publisher or a brand publishes on its site, before or after
// it is published.

import { Command, Option } from 'commander'
import { FILE_TYPES } from '../protocol/adagents/file-types.ts'
import { exitCodesHelp } from './exit-codes.ts'
import { ALLOW_PRIVATE } from './own-egress.ts'
import { addSettings } from './settings-options.ts'

export function validateCommand(): Command {
  const command = new Command('validate')
    .description(
      'Validate an adagents.json, brand.json or ads.txt: print each error with its line, and what it authorizes.',
    )
    .argument(
      '<file-or-url>',
      'path of a file, - for standard input, or a URL; for a site without a path, its well-known file',
    )
    .addOption(
      new Option('--type <type>', 'type of the file; detected from its name by default').choices(
        FILE_TYPES,
      ),
    )
    .option('--domain <domain>', 'domain that publishes the file; default: the host of the URL')
    .option(...ALLOW_PRIVATE)
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      exitCodesHelp({
        ok: 'no errors; there may be warnings',
        fault: 'the file has errors: each is printed with its line',
        usage: 'usage error: an unknown flag, or a file that cannot be read',
        unreachable: 'the URL could not be fetched, or did not return a file',
      }),
    )
  return addSettings(command, ['egressAllow', 'egressAllowHttp', 'dns', 'dnsServers']).action(
    async (place: string, flags: Record<string, unknown>) =>
      // Loaded only here: loading schemas takes time.
      (await import('./validate-work.ts')).validate(place, flags),
  )
}
