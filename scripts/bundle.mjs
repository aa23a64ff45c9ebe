// Puts what a process of the command loads into few files of dist/bundle: to find and load 1300 modules one by one takes
// longer than to start a server. The files of dist/ that such a process starts with then only pass on what they had;
// packages stay where they are.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))
const FOLDER = `${DIST}/bundle`

/**
 * The command; what an operator's own modules import, so that an error is of the same class in both; and the files that
 * threads and processes of workers start with.
 */
const ENTRIES = [
  'cli/program',
  'index',
  'protocol/index',
  'app/import-worker',
  'app/matching-worker',
  'creative/jobs/worker',
  'lib/worker-pool/watch-thread',
  'signals/search/model-worker',
  'storage/sqlite/check-process',
]

const { dependencies, optionalDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)
const PACKAGES = new Set(Object.keys({ ...dependencies, ...optionalDependencies }))
const packageOf = (id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/')

/** Each module finds the files beside it where they are, and not beside the bundle. */
const ownPlace = {
  name: 'own-place',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null
    const from = JSON.stringify(relative(FOLDER, id))
    return code.replaceAll('import.meta.url', `new URL(${from}, import.meta.url).href`)
  },
}

export async function bundle() {
  rmSync(FOLDER, { recursive: true, force: true })
  const input = Object.fromEntries(ENTRIES.map((path) => [nameOf(path), `${DIST}/${path}.js`]))
  const bundler = await rolldown({
    input,
    platform: 'node',
    // A helper of the bundler must not become a package that is not there.
    external: (id) => PACKAGES.has(packageOf(id)) || isBuiltin(id),
    // As tsc has written it.
    transform: { target: 'esnext' },
    tsconfig: false,
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message)
    },
    plugins: [ownPlace],
  })
  await bundler.write({
    dir: FOLDER,
    entryFileNames: '[name].js',
    chunkFileNames: 'part-[name]-[hash].js',
  })
  await bundler.close()
  for (const path of ENTRIES) writeFileSync(`${DIST}/${path}.js`, passOn(path))
  const main = `${DIST}/cli/main.js`
  const [own, bundled] = ["'./program.js'", `'../bundle/${nameOf('cli/program')}.js'`]
  writeFileSync(main, readFileSync(main, 'utf8').replace(own, bundled))
}

const nameOf = (path) => path.replaceAll('/', '-')

function passOn(path) {
  const from = relative(dirname(`${DIST}/${path}.js`), `${FOLDER}/${nameOf(path)}.js`)
  return `export * from '${from.startsWith('.') ? from : `./${from}`}'\n`
}
