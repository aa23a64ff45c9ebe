// What can be completed, from the commands: for each path of words, the commands and flags that may follow.

import type { Command, Option } from 'commander'

export interface CompletionFlag {
  /** With its dashes. */
  name: string
  about: string
  takesValue: boolean
  /** The values it takes, if they are known. */
  choices: readonly string[]
}

export interface CompletionNode {
  /** Such as `webhook send`; empty for the program. */
  path: string
  commands: readonly { name: string; about: string }[]
  flags: readonly CompletionFlag[]
  /** Values of its first argument, if they are known. */
  choices: readonly string[]
  /** Whether its first argument is a saved agent. */
  takesAgent: boolean
}

const HELP: CompletionFlag = { name: '--help', about: 'show help', takesValue: false, choices: [] }

/** The program first, then each command before its subcommands. */
export function completionTree(commands: readonly Command[]): CompletionNode[] {
  const version = { name: '--version', about: 'show the version', takesValue: false, choices: [] }
  const root: CompletionNode = {
    path: '',
    commands: [...commands.map(wordOf), { name: 'help', about: 'show help for a command' }],
    flags: [HELP, version],
    choices: [],
    takesAgent: false,
  }
  const help = {
    path: 'help',
    commands: commands.map(wordOf),
    flags: [],
    choices: [],
    takesAgent: false,
  }
  return [root, ...commands.flatMap((command) => nodesOf(command, '')), help]
}

function nodesOf(command: Command, above: string): CompletionNode[] {
  const path = above === '' ? command.name() : `${above} ${command.name()}`
  const [first] = command.registeredArguments
  const flags = command.options.filter(({ hidden, long }) => !hidden && long).map(flagOf)
  return [
    {
      path,
      commands: command.commands.map(wordOf),
      flags: [...flags.filter(({ name }) => name !== HELP.name), HELP],
      choices: first?.argChoices ?? [],
      takesAgent: first?.name() === AGENT_ARGUMENT,
    },
    ...command.commands.flatMap((below) => nodesOf(below, path)),
  ]
}

/** The name of every argument that takes a saved agent. */
export const AGENT_ARGUMENT = 'agent'

function wordOf(command: Command): { name: string; about: string } {
  return { name: command.name(), about: command.description() }
}

function flagOf({ long, description, required, optional, argChoices }: Option): CompletionFlag {
  return {
    name: long ?? '',
    about: description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  }
}

/** One line, for the scripts, without characters that are special in a shell. */
/** Flags with a value that may precede the agent argument and must not be taken for it, as `path --flag`. */
export function flagsBeforeAgent(nodes: readonly CompletionNode[]): string[] {
  return nodes
    .filter(({ takesAgent }) => takesAgent)
    .flatMap(({ path, flags }) =>
      flags.filter(({ takesValue }) => takesValue).map(({ name }) => `${path} ${name}`),
    )
}

export function plainAbout(about: string): string {
  const line = about.replace(/[\\'"`$:[\]]/g, '')
  return line.length > MAX_ABOUT ? `${line.slice(0, MAX_ABOUT - 1)}…` : line
}

const MAX_ABOUT = 80
