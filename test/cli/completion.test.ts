import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { beforeAll, expect, test } from 'vitest'
import { bashScript } from '../../src/cli/completion-bash.ts'
import { fishScript } from '../../src/cli/completion-fish.ts'
import { completionTree } from '../../src/cli/completion-tree.ts'
import { zshScript } from '../../src/cli/completion-zsh.ts'
import { adwire, folder } from '../support/cli.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

let script = ''
beforeAll(() => {
  script = execFileSync(process.execPath, [MAIN, 'completion', 'bash'], { encoding: 'utf8' })
})

/** What bash offers for the last of the words. */
function completed(words: readonly string[], program = 'adwire', env: Record<string, string> = {}) {
  const all = [program, ...words]
  const run = `${script}
COMP_WORDS=(${all.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${all.length - 1}
_adwire; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-c', run], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

test('bash completes commands, and those below them', () => {
  expect(completed(['webh'])).toEqual(['webhook'])
  expect(completed([''])).toEqual(expect.arrayContaining(['serve', 'call', 'agents', 'help']))
  expect(completed(['webhook', 's'])).toEqual(['sign', 'send', 'subscribe'])
  expect(completed(['help', 'compl'])).toEqual(['completion'])
})

test('bash completes flags of the command that was typed, and of no other', () => {
  expect(completed(['webhook', 'send', '--hm'])).toEqual(['--hmac'])
  expect(completed(['webhook', 'sign', '--hm'])).toEqual([])
  expect(completed(['call', 'acme', 'get_signals', '--wa'])).toEqual(['--wait', '--watch'])
})

test('bash completes the choices of a flag, after a space and after =', () => {
  expect(completed(['webhook', 'send', '--kind', 're'])).toEqual(['report', 'revocation'])
  expect(completed(['call', 'acme', '--transport', '='])).toEqual(['http', 'mcp', 'a2a'])
  expect(completed(['call', 'acme', '--transport', '=', 'm'])).toEqual(['mcp'])
  expect(completed(['completion', ''])).toEqual(['bash', 'zsh', 'fish'])
})

test('bash leaves values that nothing is known of to its own completion of files', () => {
  expect(completed(['webhook', 'send', '--key', ''])).toEqual([])
  expect(script).toContain('complete -o default -F _adwire adwire')
})

test('bash completes saved agents where an agent is wanted, and not behind it', async () => {
  const dir = folder()
  const env = { XDG_CONFIG_HOME: dir }
  await adwire(['agents', 'add', 'acme', 'https://agent.example'], env)
  const program = join(dir, 'adwire.sh')
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`)
  chmodSync(program, 0o755)
  expect(completed(['call', 'a'], program, env)).toEqual(['acme'])
  expect(completed(['agents', 'remove', ''], program, env)).toEqual(['acme'])
  expect(completed(['call', 'acme', 'a'], program, env)).toEqual([])
  expect(completed(['call', '--transport', 'mcp', 'a'], program, env)).toEqual(['acme'])
  expect(completed(['call', '--transport', '=', 'mcp', 'a'], program, env)).toEqual(['acme'])
})

/** What zsh would offer; only its own widgets, which need a terminal, are replaced by stubs. */
const ZSH_WIDGETS = `
compdef() { }
compset() { }
compadd() { shift; print -rl -- "$@" }
_files() { print -r -- FILES }
_describe() { [[ $1 == -o ]] && shift; print -rl -- \${\${(P)2}%%:*} }`

const OFFERS = {
  zsh: (words: readonly string[]) => {
    const typed = ['adwire', ...words].map((word) => `'${word}'`).join(' ')
    const run = `${ZSH_WIDGETS}\n. "$SCRIPT"\nwords=(${typed}); CURRENT=\${#words}; _adwire`
    return ['-f', '-c', run]
  },
  fish: (words: readonly string[]) => {
    const run = `source $SCRIPT; complete -C 'adwire ${words.join(' ')}'`
    return ['--no-config', '-c', run]
  },
}

for (const shell of ['zsh', 'fish'] as const) {
  const isMissing = spawnSync(shell, ['--version']).error !== undefined
  test.skipIf(isMissing)(`${shell} completes what bash does`, async () => {
    const dir = folder()
    const config = { XDG_CONFIG_HOME: folder() }
    await adwire(['agents', 'add', 'acme', 'https://agent.example'], config)
    const program = join(dir, 'adwire')
    writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`)
    chmodSync(program, 0o755)
    const SCRIPT = join(dir, 'script')
    writeFileSync(SCRIPT, execFileSync(process.execPath, [MAIN, 'completion', shell]))
    const env = { ...config, SCRIPT, HOME: dir, PATH: `${dir}:${process.env.PATH}` }
    const offered = (...words: string[]) => {
      const { stdout, stderr } = spawnSync(shell, OFFERS[shell](words), { encoding: 'utf8', env })
      expect(stderr).toBe('')
      const typed = (words.at(-1) ?? '').replace(/^--[^=]*=/, '')
      const names = stdout.split('\n').map((line) => line.replace(/\t.*$|^--[^=]*=/g, ''))
      return names.filter((name) => name !== '' && name.startsWith(typed)).sort()
    }

    expect(offered('webh')).toEqual(['webhook'])
    expect(offered('')).toEqual(expect.arrayContaining(['serve', 'call', 'agents', 'help']))
    expect(offered('webhook', 's')).toEqual(['send', 'sign', 'subscribe'])
    expect(offered('help', 'compl')).toEqual(['completion'])
    expect(offered('webhook', 'send', '--hm')).toEqual(['--hmac'])
    expect(offered('webhook', 'sign', '--hm')).toEqual([])
    expect(offered('call', 'acme', 'get_signals', '--wa')).toEqual(['--wait', '--watch'])
    expect(offered('webhook', 'send', '--kind', 're')).toEqual(['report', 'revocation'])
    expect(offered('webhook', 'send', '--kind=re')).toEqual(['report', 'revocation'])
    expect(offered('completion', '')).toEqual(['bash', 'fish', 'zsh'])
    expect(offered('call', 'a')).toEqual(['acme'])
    expect(offered('agents', 'remove', '')).toEqual(['acme'])
    expect(offered('call', '--transport', 'mcp', 'a')).toEqual(['acme'])
    expect(offered('call', 'acme', 'ac')).toEqual([])
  })
}

/** Small, so that the scripts can be read. */
function smallTree() {
  const send = new Command('send')
    .description('Send: it\'s "quoted" $HOME `x` [y].')
    .addOption(new Option('--kind <kind>', 'what').choices(['status', 'report']))
    .option('--key <file>', 'a key')
    .option('--json', 'as JSON')
  const call = new Command('call').description('Call an agent.').argument('[agent]')
  return completionTree([new Command('webhook').description('Webhooks.').addCommand(send), call])
}

test('the scripts of all three shells are made from the commands', () => {
  const tree = smallTree()
  expect(bashScript(tree)).toMatchSnapshot('bash')
  expect(zshScript(tree)).toMatchSnapshot('zsh')
  expect(fishScript(tree)).toMatchSnapshot('fish')
})

for (const [shell, made] of [
  ['zsh', zshScript(smallTree())],
  ['fish', fishScript(smallTree())],
] as const) {
  const isMissing = spawnSync(shell, ['--version']).error !== undefined
  test.skipIf(isMissing)(`${shell} reads its script without a fault`, () => {
    // A file: on Linux the input of a child is a socket, which cannot be opened as /dev/stdin.
    const file = join(folder(), `adwire.${shell}`)
    writeFileSync(file, made)
    const checked = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
    expect([checked.status, checked.stderr]).toEqual([0, ''])
  })
}

test('what a description says cannot become a command of the shell', () => {
  for (const made of [zshScript(smallTree()), fishScript(smallTree())]) {
    expect(made).toContain('Send its quoted HOME x y.')
  }
})
