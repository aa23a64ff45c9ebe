#!/usr/bin/env node
// The `adwire` command. Nothing is imported before the version of Node is checked: an older one would fail in the
// middle of a module, with an unhelpful message.

const LEAST: readonly [number, number] = [20, 19]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
  process.stderr.write(
    `error: adwire needs Node ${LEAST.join('.')} or later, and this is ${process.version}: install a newer one\n`,
  )
  process.exitCode = 1
} else {
  void import('./program.ts').then(({ run }) => run(process.argv))
}

export {}
