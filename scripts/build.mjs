// Compiles src/ into dist/ and copies beside it what is not TypeScript, and the files of the sentence model; then
// bundles what a command loads, and builds the console's app.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { bundle } from './bundle.mjs'
import { copyModelFiles } from './model-files.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
console.error('Compiling the server ...')
rmSync(`${root}/dist`, { recursive: true, force: true })
const tsc = spawnSync(
  process.execPath,
  [`${root}/node_modules/typescript/bin/tsc`, '-p', `${root}/tsconfig.build.json`],
  { stdio: 'inherit' },
)
if (tsc.status !== 0) process.exit(tsc.status ?? 1)
cpSync(`${root}/src`, `${root}/dist`, {
  recursive: true,
  filter: (path) => !path.endsWith('.ts'),
})
copyModelFiles(`${root}/dist/signals/matching/model`)
chmodSync(`${root}/dist/cli/main.js`, 0o755)
console.error('Bundling the server ...')
await bundle()
console.error('Building the console ...')
await build({ configFile: `${root}/console/vite.config.ts` })
