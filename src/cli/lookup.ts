// `adwire lookup`: what the registry knows about a domain, from its database.

import type { Command } from 'commander'
import { type LookupBody, lookupManifestRef } from '../registry/lookup-manifest-ref.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, UsageError } from './terminal.ts'

export function lookupCommand(): Command {
  return storageCommand('lookup')
    .description(
      'Look up the best manifest reference for a domain. Exits with 1 when there is none.',
    )
    .argument('<domain>', 'host name, such as acme.example')
    .option('--type <type>', 'brand.json or adagents.json', 'brand.json')
    .option('--json', 'print the body the HTTP lookup answers with')
    .action((domain: string, options: { type: string; json?: boolean }) =>
      withStorage({ ...options }, async ({ references }) => {
        const answer = await lookupManifestRef(references, { domain, type: options.type })
        if (!answer.ok) throw new UsageError(answer.error)
        const body = JSON.parse(answer.json) as LookupBody
        if (!body.found) process.exitCode = 1
        if (options.json) return printJson(body)
        if (!body.found) return print(`no ${options.type} reference for ${domain}`)
        const { reference } = body
        print(reference.manifest_url ?? `${reference.agent_url} (agent ${reference.agent_id})`)
        print(`verification: ${reference.verification_status}`)
      }),
    )
}
