// `adwire lookup`: what the registry knows about a domain, from its database.

import type { Command } from 'commander'
import { MANIFEST_TYPES } from '../protocol/manifest-reference.ts'
import { type LookupBody, lookupManifestRef } from '../registry/lookup-manifest-ref.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, UsageError } from './terminal.ts'

export function lookupCommand(): Command {
  return storageCommand('lookup')
    .description('Look up the best manifest reference for a domain. Exits with 1 if there is none.')
    .argument('<domain>', 'host name, such as acme.example')
    .option('--type <type>', 'brand.json or adagents.json', 'brand.json')
    .option('--json', 'print the response body of the HTTP lookup')
    .action((domain: string, options: { type: string; json?: boolean }) =>
      withStorage({ ...options }, async ({ references, crawl }) => {
        const answer = await lookupManifestRef(
          { references, crawl },
          { domain, type: options.type },
        )
        if (!answer.ok) throw new UsageError(answer.error)
        const body = JSON.parse(answer.json) as LookupBody
        if (!body.found) process.exitCode = 1
        if (options.json) return printJson(body)
        if (!body.found)
          return print(`no ${options.type} reference for ${domain}${hintOn(options)}`)
        const { reference } = body
        print(reference.manifest_url ?? `${reference.agent_url} (agent ${reference.agent_id})`)
        print(`verification: ${reference.verification_status}`)
      }),
    )
}

/** The lookup accepts any type, and finds nothing for one that no one contributes. */
function hintOn({ type }: { type: string }): string {
  if (MANIFEST_TYPES.some((known) => known === type)) return ''
  return `: the types are ${MANIFEST_TYPES.join(' and ')}`
}
