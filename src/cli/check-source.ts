// `adwire reports check-source`: tests a delivery source before a server uses it for reports. Exits with 1 when a
// check failed. The code is loaded when the command runs.

import { Command } from 'commander'
import type { SourceFlags } from './check-source-work.ts'
import { ALLOW_PRIVATE } from './own-egress.ts'
import { repeatable } from './repeatable.ts'
import { addSettings } from './settings-options.ts'

export function checkSource(): Command {
  const command = new Command('check-source')
    .description(
      'Test a delivery source (a service or a file) with a media buy that has delivered.',
    )
    .argument('[source]', 'URL or file; default: ADWIRE_DELIVERY_SOURCE')
    .requiredOption('--buy <media_buy_id>', 'the buy')
    .requiredOption(
      '--package <package_id[=budget]>',
      'a package of the media buy; add its budget to check spend against it; repeatable',
      repeatable,
    )
    .option('--from <time>', 'start of the flight; default: seven days ago')
    .option('--to <time>', 'end of the flight; default: now')
    .option('--currency <code>', 'currency of the media buy', 'USD')
    .option(...ALLOW_PRIVATE)
    .option('--json', 'print the checks as JSON')
  const settings = [
    'deliverySource',
    'deliveryBearerFile',
    'egressAllow',
    'egressAllowHttp',
  ] as const
  return addSettings(command, [...settings, 'dns', 'dnsServers']).action(
    async (given: string | undefined, flags: SourceFlags) => {
      const { checkSourceAt } = await import('./check-source-work.ts')
      await checkSourceAt(given, flags)
    },
  )
}
