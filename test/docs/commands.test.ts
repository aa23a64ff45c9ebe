import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { addExamples, EXAMPLES } from '../../src/cli/examples.ts'
import { GROUPS } from '../../src/cli/program.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const COMMANDS = new Map<string, Command>()
for (const group of Object.values(GROUPS)) {
  for (const [name, { load }] of Object.entries(group)) COMMANDS.set(name, await load())
}

/** At the beginning of a command, with or without variables before it. */
const PROGRAM = /(?:^\s*|[(;|&]\s*|=\S* )(?:npx )?(?:adwire|node dist\/cli\/main\.js) +(?=[a-z-])/

/** What stands after the name of the program, to the end of that command. */
function callsIn(text: string): string[] {
  return text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/^# .*|\s+# .*$/, ''))
    .filter((line) => PROGRAM.test(line))
    .map((line) => line.slice(PROGRAM.exec(line)?.index ?? 0).replace(PROGRAM, ''))
    .map((call) => (/^(?:"[^"]*"|'[^']*'|[^"'|>&)]|\)(?=\w))*/.exec(call)?.[0] ?? '').trim())
}

function blocksOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
}

function spansOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replace(/```[\s\S]*?```/g, '')
  return [...text.matchAll(/`((?:npx )?adwire [a-z][^`]*)`/g)]
    .map(([, span = '']) => span.replaceAll('\\|', '|').replaceAll('\n', ' '))
    .map((span) => span.replace(/^(?:npx )?adwire /, ''))
}

/** `undefined` when all of it is there; else what is not. */
function faultOf(call: string, { countsArguments }: { countsArguments: boolean }) {
  const words = (call.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replace(/^\[|\]$/g, ''),
  )
  if (words[0]?.startsWith('-')) return undefined
  let command = COMMANDS.get(words.shift() ?? '')
  if (command === undefined) return 'no such command'
  while (
    command.commands.length > 0 &&
    words[0] !== undefined &&
    /^[a-z-]+(\|[a-z]+)*$/.test(words[0])
  ) {
    const names = words.shift()?.split('|') ?? []
    const below = names.map((name) => command?.commands.find((one) => one.name() === name))
    if (below.includes(undefined)) return `no such command below ${command.name()}: ${names}`
    command = below[0] as Command
  }
  const given: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const [flag = '', value] = (words[at] ?? '').split('=')
    if (!flag.startsWith('--')) {
      given.push(flag)
      continue
    }
    const option = command.options.find(({ long }) => long === flag)
    if (option === undefined && flag !== '--help' && command.name() !== 'call')
      return `no flag ${flag}`
    if (option?.required === true && value === undefined) at += 1
  }
  const least = command.registeredArguments.filter(({ required }) => required).length
  if (countsArguments && given.length < least) return `${least} arguments are needed`
  return undefined
}

/** The words of each command that can be run, such as `principals keys add`. */
function pathsOf(command: Command, above = ''): string[] {
  const path = `${above} ${command.name()}`.trim()
  if (command.commands.length === 0) return [path]
  return command.commands.flatMap((below) => pathsOf(below, path))
}

test.each(PAGES)('every command in %s has the names and flags that the program has', (page) => {
  const faults = [
    ...blocksOf(page)
      .flatMap(callsIn)
      .map((call) => [call, faultOf(call, { countsArguments: true })]),
    ...spansOf(page).map((call) => [call, faultOf(call, { countsArguments: false })]),
  ].filter(([, fault]) => fault !== undefined)
  expect(faults).toEqual([])
})

test('the commands of the pages are found', () => {
  const calls = PAGES.flatMap(blocksOf).flatMap(callsIn)
  expect(calls.length).toBeGreaterThan(80)
  expect(calls).toContain('orgs create "Acme Media" --create')
  expect(PAGES.flatMap(spansOf).length).toBeGreaterThan(60)
})

test('a command, a flag or an argument that is not there is a fault', () => {
  const inBlock = { countsArguments: true }
  expect(faultOf('principals create --name "Night shift"', inBlock)).toBe('no flag --name')
  expect(faultOf('principals create --scopes operator', inBlock)).toBe('1 arguments are needed')
  expect(faultOf('keys turn', inBlock)).toBe('no such command below keys: turn')
  expect(faultOf('keyring list', inBlock)).toBe('no such command')
})

test('every command that does something has an example in its help, with its own names and flags', async () => {
  const paths = [...COMMANDS.values()].flatMap((command) => pathsOf(command))
  const without = paths.filter((path) => !EXAMPLES.has(path))
  // These two explain more than examples do, in a text of their own.
  expect(without).toEqual(['call', 'completion'])
  expect([...EXAMPLES.keys()].filter((path) => !paths.includes(path))).toEqual([])
  const faults = [...EXAMPLES].flatMap(([path, lines]) =>
    lines.map((line) => {
      const call = line.replace(/^adwire /, '').replace(/ > .*$/, '')
      const isOwn = call === path || call.startsWith(`${path} `)
      return [line, isOwn ? faultOf(call, { countsArguments: true }) : 'of another command']
    }),
  )
  expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([])
})

test('the help of a group of commands has an example of each', async () => {
  const command = await GROUPS['Webhooks:']?.deliveries?.load()
  let help = ''
  command?.configureOutput({ writeOut: (text) => (help += text) })
  if (command) addExamples(command)
  command?.outputHelp()
  expect(help).toContain('Examples:\n  adwire deliveries list --status exhausted --since 24h\n')
  expect(help).toContain('\n  adwire deliveries retry 430 431\n')
})

test('operations.md names every command there is', () => {
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
  const named = [...page.matchAll(/`adwire ([a-z]+)/g)].map(([, name]) => name)
  expect([...COMMANDS.keys()].filter((name) => !named.includes(name))).toEqual([])
})
