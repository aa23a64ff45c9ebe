// `npm run bench -- NAME [flags]`: one figure each, always a ratio against a baseline that is
// measured in the same run on the same machine.
import { readdirSync } from 'node:fs'

const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.mjs') && file !== 'main.mjs')
  .map((file) => file.slice(0, -4))
const [name, ...flags] = process.argv.slice(2)

if (!names.includes(name)) {
  console.error(`usage: npm run bench -- ${names.join('|')} [flags]`)
  process.exit(2)
}
const { run } = await import(`./${name}.mjs`)
await run(flags)
