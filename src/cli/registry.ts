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
      'Follow another registry: its authorizations, then every change, until it is stopped.',
    )
    .argument('<url>', 'address of the registry, such as https://registry.example.com')
    .option('--auth <key>', 'key of that registry; @file reads it from a file')
    .option('--once', 'end when the mirror has reached the end of the feed')
    .option('--check', 'like --once, and compare the authorizations of both by digest')
    .option('--poll-seconds <n>', 'pause at the end of the feed', '5')
    .option(...ALLOW_PRIVATE)
    .option('--json', 'print the state as JSON')
    .addHelpText(
      'after',
      exitCodesHelp({
        ok: 'the end of the feed was reached (--once), and both are equal (--check)',
        fault: 'the mirror differs from its source (--check)',
        usage: 'usage error: an unknown flag or a bad value',
        unreachable: 'the registry cannot be read (--once and --check); else it is tried again',
      }),
    )
    .action(async (url: string, flags: Record<string, unknown>) =>
      (await import('./registry-work.ts')).mirror(url, flags),
    )
  const listing = storageCommand('mirrors')
    .description('List the registries that are followed, and how far.')
    .option('--json', 'print them as JSON')
    .action(async (flags: Record<string, unknown>) =>
      (await import('./registry-work.ts')).listMirrors(flags),
    )
  const exporting = storageCommand('export')
    .description('Print what a mirror holds, one JSON object a line.')
    .argument('<url>', 'address of the registry that is followed')
    .option('--kind <kind>', 'only this, such as authorization or agent')
    .action(async (url: string, flags: Record<string, unknown>) =>
      (await import('./registry-work.ts')).exportMirror(url, flags),
    )
  const forgetting = storageCommand('forget')
    .description('Delete a mirror with all it holds.')
    .argument('<url>', 'address of the registry that is followed')
    .action(async (url: string, flags: Record<string, unknown>) =>
      (await import('./registry-work.ts')).forgetMirror(url, flags),
    )
  return new Command('registry')
    .description('Follow another registry, and compare with it.')
    .addCommand(mirroring)
    .addCommand(listing)
    .addCommand(exporting)
    .addCommand(forgetting)
}
