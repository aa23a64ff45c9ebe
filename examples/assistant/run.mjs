// A signal agent on this machine, and the assistant that uses it.
//
//   npm run build && node examples/assistant/run.mjs

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp, makeConfig } from 'adwire'

const place = mkdtempSync(join(tmpdir(), 'assistant-'))
const agent = await createApp(
  makeConfig({
    data: place,
    port: 0,
    demo: true,
    demoKey: 'adw_example_key_0123456789abcdef',
    logLevel: 'error',
    sandboxDelaySeconds: 2,
    signalsModel: false,
    warmUp: false,
  }),
)
await agent.start()
const { key } = await agent.createPrincipal({ name: 'Assistant' })
const keyFile = join(place, 'key')
writeFileSync(keyFile, key, { mode: 0o600 })

// Without the flag only public addresses are called.
const program = fileURLToPath(new URL('./assistant.mjs', import.meta.url))
const args = [program, agent.url(), keyFile, '--allow-host', '127.0.0.1']
const assistant = spawn(process.execPath, args, { stdio: 'inherit' })
const [code] = await once(assistant, 'exit')
await agent.stop()
rmSync(place, { recursive: true, force: true })
process.exitCode = code ?? 1
