// `adwire registry`: a copy of another registry in the user's own database, which follows the original.

import { Command } from 'commander'
import { exitCodesHelp } from './exit-codes.ts'
import { ALLOW_PRIVATE } from './own-egress.ts'
import { addSettings, storageCommand } from './settings-options.ts'

export function registryCommand(): Command {
  const mirroring = addSettings(storageCommand('mirror'), [
    'egressAllow',
    'egressAllowHttp',
    'dns',
    'dnsServers',
  ])
    .description(
      'Mirror another registry: first its authorizations, then every change, until you stop it.',
    )
    .argument('<url>', 'URL of the registry, such as https://registry.example.com')
    .option('--auth <key>', 'key of that registry; @file reads it from a file')
    .option('--once', 'exit when the mirror has reached the end of the feed')
    .option('--check', 'like --once, and compare the authorizations of both by digest')
    .option('--poll-seconds <n>', 'seconds between polls at the end of the feed', '5')
    .option(...ALLOW_PRIVATE)
    .option('--json', 'print the state as JSON')
    .addHelpText(
      'after',
      exitCodesHelp({
        ok: 'the end of the feed was reached (--once), and both are equal (--check)',
        fault: 'the mirror differs from its source (--check)',
        usage: 'usage error: an unknown flag or a bad value',
        unreachable:
          'the registry cannot be read (with --once or --check; otherwise the command retries)',
      }),
    )
    .action(async (url: string, flags: Record<string, unknown>) =>
      (await import('./registry-work.ts')).mirror(url, flags),
    )
  const listing = storageCommand('mirrors')
    .description('List the mirrored registries and their progress.')
    .option('--json', 'print them as JSON')
    .action(async (flags: Record<string, unknown>) =>
      (await import('./registry-work.ts')).listMirrors(flags),
    )
  const exporting = storageCommand('export')
    .description('Print the content of a mirror, one JSON object per line.')
    .argument('<url>', 'URL of the mirrored registry')
    .option('--kind <kind>', 'only this kind, such as authorization or agent')
    .action(async (url: string, flags: Record<string, unknown>) =>
      (await import('./registry-work.ts')).exportMirror(url, flags),
    )
  const forgetting = storageCommand('forget')
    .description('Delete a mirror and all its data.')
    .argument('<url>', 'URL of the mirrored registry')
    .action(async (url: string, flags: Record<string, unknown>) =>
      (await import('./registry-work.ts')).forgetMirror(url, flags),
    )
  return new Command('registry')
    .description('Mirror another registry, and compare with it.')
    .addCommand(mirroring)
    .addCommand(listing)
    .addCommand(exporting)
    .addCommand(forgetting)
}
