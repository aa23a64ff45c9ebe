// Makes the package adwire-webhooks of what is in dist/: signing, sender and receiver, with the files that
// they import and no others. Into dist-webhooks/, or the folder that is given:
//
//   package/                      what is packed, with a package.json of its own
//   adwire-webhooks-<version>.tgz
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importClosure } from './import-closure.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const out = resolve(process.argv[2] ?? join(root, 'dist-webhooks'))
const folder = join(out, 'package')

const ENTRIES = ['signing', 'sender', 'receiver']
const { RECEIVER_OWNERS, SENDER_OWNERS } = await import('../dist/storage/sql/migrations.js')
/** Left to users that need them: the drivers of the databases, tracing, and types. */
const OPTIONAL = ['@opentelemetry/api', '@photostructure/sqlite', '@types/node', 'pg']
/** Carried along, without the forms that are not loaded: most of what they weigh. */
const CARRIED = ['tldts']

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const entries = (suffix) => ENTRIES.map((name) => join(root, 'dist', name, `index.${suffix}`))
const code = importClosure(entries('js'))
const declarations = importClosure(entries('d.ts'))
for (const file of [...code.files, ...declarations.files]) copy(file, root, folder)
for (const owner of new Set([...SENDER_OWNERS, ...RECEIVER_OWNERS])) {
  const migrations = join('dist/storage/migrations', owner)
  cpSync(join(root, migrations), join(folder, migrations), { recursive: true })
}
for (const name of CARRIED) carry(name)
copy(join(root, 'LICENSE'), root, folder)
writeFileSync(join(folder, 'README.md'), readme())
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
pack()

function copy(file, from, to) {
  const path = join(to, relative(from, file))
  if (!path.startsWith(folder)) throw new Error(`${file} is not below ${from}`)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(file, path)
}

/** A dependency, and its own, with the files that its main entry loads. */
function carry(name) {
  const main = createRequire(join(root, 'package.json')).resolve(name)
  const home = realpathSync(join(root, 'node_modules', name))
  const to = join(folder, 'node_modules', name)
  const { files, packages } = importClosure([main])
  for (const file of [...files, join(home, 'LICENSE')]) copy(file, home, to)
  const { version, description, author, license, dependencies, ...rest } = JSON.parse(
    readFileSync(join(home, 'package.json'), 'utf8'),
  )
  const about = {
    name,
    version,
    description,
    author,
    license,
    main: rest.main,
    dependencies: Object.fromEntries(packages.map((needed) => [needed, dependencies[needed]])),
  }
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(about, undefined, 2)}\n`)
  for (const needed of packages) carry(needed)
}

function manifest() {
  const needed = [...new Set([...code.packages, ...declarations.packages])].sort()
  const versions = (names) => Object.fromEntries(names.map((name) => [name, versionOf(name)]))
  return {
    name: 'adwire-webhooks',
    version: own.version,
    description:
      'Signed webhooks of advertising agents: the sender, the receiver and the signatures of Adwire.',
    license: own.license,
    type: 'module',
    engines: own.engines,
    exports: {
      ...Object.fromEntries(ENTRIES.map((name) => [`./${name}`, own.exports[`./${name}`]])),
      './package.json': './package.json',
    },
    files: ['dist', 'README.md', 'LICENSE'],
    dependencies: versions(needed.filter((name) => !OPTIONAL.includes(name))),
    bundleDependencies: CARRIED,
    peerDependencies: versions(OPTIONAL),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  }
}

/** A peer may be newer than the one that is tested here, within its major version. */
function versionOf(name) {
  const version = own.peerDependencies[name] ?? own.dependencies[name]
  if (version === undefined) throw new Error(`${name} is imported, and is no dependency`)
  return OPTIONAL.includes(name) && /^\d/.test(version) ? `^${version}` : version
}

function readme() {
  return `# adwire-webhooks

The webhooks of Adwire, the server that advertising-automation agents run on, without the
server: sign them, send them, receive them.

| entry | what it is |
|---|---|
| \`adwire-webhooks/receiver\` | verifies, stores and applies webhooks once and in order, in node:http, Express, Fastify or Hono |
| \`adwire-webhooks/sender\` | sends signed webhooks from an outbox, with retries |
| \`adwire-webhooks/signing\` | RFC 9421 signatures of webhooks and requests |

They are the entries of the same names of the package \`adwire\`, whose documentation holds for them: read \`adwire-webhooks\` for
\`adwire\`. Sender and receiver keep what they know in a SQLite file or a PostgreSQL; install the driver of yours:

\`\`\`sh
npm install adwire-webhooks @photostructure/sqlite     # a SQLite file
npm install adwire-webhooks pg                         # a PostgreSQL
\`\`\`

Node.js 20.19 or later. With TypeScript, install \`@types/node\` as well.
`
}

function pack() {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', out]
  const packed = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (packed.status !== 0) {
    process.stderr.write(packed.stderr)
    process.exit(1)
  }
  process.stdout.write(packed.stdout)
}
