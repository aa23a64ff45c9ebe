// `adwire agents add|list|remove`: agents with their keys, saved under a name of the user's choice, for `adwire
// call`.

import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { readEnvironment } from '../app/env.ts'
import { defined } from '../lib/defined.ts'
import { isUrl } from '../lib/is-url.ts'
import { nearNames } from '../lib/near-names.ts'
import {
  agentsFile,
  changeAgents,
  readAgents,
  type SavedAgent,
  type SavedAgents,
  TRANSPORTS,
  type TransportName,
} from './agents-file.ts'
import { readSecret } from './secret-argument.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'
import { readPrivateKey } from './webhook-files.ts'

export function agentsCommand(): Command {
  return new Command('agents')
    .description('Manage saved agents and their keys for `adwire call`.')
    .addCommand(add())
    .addCommand(list())
    .addCommand(remove())
    .addHelpText(
      'after',
      '\nSaved in ~/.config/adwire/agents.json (set XDG_CONFIG_HOME or ADWIRE_AGENTS_FILE to move it),\nwhich only you can read. Keys are never printed.',
    )
}

interface AddFlags {
  auth?: string
  signKey?: string
  transport?: TransportName
  replace?: boolean
}

function add(): Command {
  return new Command('add')
    .description('Save an agent.')
    .argument('<name>', 'letters, digits, - and _, starting with a letter')
    .argument('<url>', 'URL of the agent')
    .option('--auth <key>', 'bearer key of the agent; - prompts for it, @file reads it from a file')
    .option('--sign-key <file>', 'private JWK that signs requests; its path is saved, not the key')
    .addOption(
      new Option('--transport <transport>', 'how to call it; detected by default').choices(
        TRANSPORTS,
      ),
    )
    .option('--replace', 'replace an agent that is already saved')
    .action(async (name: string, url: string, { auth, signKey, transport, replace }: AddFlags) => {
      if (!/^[A-Za-z][A-Za-z0-9_-]{0,62}$/.test(name)) {
        throw new UsageError(
          'a name has up to 63 letters, digits, - and _, and starts with a letter',
        )
      }
      if (signKey !== undefined) readPrivateKey(signKey)
      const agent: SavedAgent = {
        url: agentUrlOf(url),
        ...defined({
          auth: auth && (await readSecret('--auth', auth)),
          signKey: signKey && resolve(signKey),
          transport,
        }),
      }
      changeAgents(ownFile(), (agents) => {
        if (agents.has(name) && !replace) {
          throw new UsageError(`${name} is already saved: add --replace to change it`)
        }
        agents.set(name, agent)
      })
      print(
        `saved ${name}: ${agent.url}${auth === undefined ? '' : ', with a key'}${signKey === undefined ? '' : ', signed'}`,
      )
    })
}

function list(): Command {
  return new Command('list')
    .description('List the saved agents, without their keys.')
    .option('--names', 'print only the names, one per line')
    .option('--json', 'print a JSON array')
    .action(({ names, json }: { names?: boolean; json?: boolean }) => {
      const agents = [...savedAgents()]
      if (names) {
        for (const [name] of agents) print(name)
        return
      }
      if (json) {
        printJson(
          agents.map(([name, { url, transport, auth, signKey: sign_key }]) => {
            return { name, url, ...defined({ transport, sign_key }), has_key: auth !== undefined }
          }),
        )
        return
      }
      printTable(
        ['name', 'url', 'transport', 'key'],
        agents.map(([name, agent]) => [
          name,
          agent.url,
          agent.transport ?? 'found out',
          keysOf(agent),
        ]),
      )
    })
}

function keysOf({ auth, signKey }: SavedAgent): string {
  const kept = [...(auth === undefined ? [] : ['yes']), ...(signKey === undefined ? [] : ['signs'])]
  return kept.join(', ') || '-'
}

function remove(): Command {
  return new Command('remove')
    .description('Remove a saved agent and its key.')
    .argument('<agent>', 'its name')
    .action((name: string) => {
      changeAgents(ownFile(), (agents) => {
        if (!agents.delete(name)) throw unknownAgent(name, agents.keys())
      })
      print(`removed ${name}`)
    })
}

/** The saved agents, as they are in the file now. */
export function savedAgents(): SavedAgents {
  return readAgents(ownFile())
}

/** By its address, or by the name it was saved under. */
export function findAgent(given: string): SavedAgent {
  if (given.includes('://')) return { url: agentUrlOf(given) }
  const agents = savedAgents()
  const found = agents.get(given)
  if (found) return found
  throw unknownAgent(given, agents.keys())
}

function unknownAgent(given: string, known: Iterable<string>): UsageError {
  const near = nearNames(given, known)
  const right =
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : 'give a URL such as https://agent.example, or save it with adwire agents add'
  return new UsageError(`there is no saved agent ${given}: ${right}`)
}

function agentUrlOf(text: string): string {
  const url = isUrl(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(
      `${text} is not the URL of an agent: give one such as https://agent.example`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      'the URL must not contain a user name or password: pass the key with --auth',
    )
  }
  return text
}

function ownFile(): string {
  return agentsFile(readEnvironment())
}
