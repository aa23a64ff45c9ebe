// `npm run bench` runs every path and writes docs/performance.md; `npm run bench -- NAME [flags]` one subject in detail;
// `npm run bench -- --against COMMIT` another commit beside this build. Each figure is a ratio against a baseline that is
// measured in the same run on the same machine, or says that it is not.
import { readdirSync } from 'node:fs'

const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.mjs') && !['main.mjs', 'against.mjs'].includes(file))
  .map((file) => file.slice(0, -4))
const args = process.argv.slice(2)

if (args[0] === '--against' && args[1] !== undefined) await runOne('against', args.slice(1))
else if (args[0] === undefined || ['--quick', '--only'].includes(args[0])) {
  await runOne('performance', args)
} else if (names.includes(args[0])) await runOne(args[0], args.slice(1))
else {
  console.error(
    `usage: npm run bench -- [--quick] [--only PATH,PATH] | --against COMMIT | ${names.join('|')} [flags]`,
  )
  process.exitCode = 2
}

async function runOne(name, flags) {
  const { run } = await import(`./${name}.mjs`)
  await run(flags)
}
