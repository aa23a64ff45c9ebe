import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runEncoder } from '../../../src/creative/video/run-encoder.ts'

const folder = mkdtempSync(join(tmpdir(), 'adwire-encoder-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program in place of ffmpeg. */
function standIn(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

const FRAME = new Uint8Array(100_000).fill(7)

function* frames(count: number) {
  for (let index = 0; index < count; index++) yield FRAME
}

const run = (path: string, over = {}) => ({
  path,
  args: [],
  env: {},
  folder,
  timeoutMs: 60_000,
  ...over,
})

describe('an encoder', () => {
  test('gets every frame, runs in its folder, and sees nothing of the environment', async () => {
    const path = standIn('whole', '/bin/cat > got; echo "$HOME" > home')
    expect(await runEncoder(frames(20), run(path))).toEqual({ ok: true })
    expect(readFileSync(join(folder, 'got')).byteLength).toBe(20 * FRAME.byteLength)
    expect(readFileSync(join(folder, 'home'), 'utf8').trim()).toBe('')
  })

  test('gets its arguments as they are, and no shell reads them', async () => {
    const path = standIn('args', '/bin/cat > /dev/null; printf "%s\\n" "$@" > args')
    await runEncoder(frames(1), run(path, { args: ['-i', '$(id); `id`'] }))
    expect(readFileSync(join(folder, 'args'), 'utf8')).toBe('-i\n$(id); `id`\n')
  })

  test('that fails is reported with its output, and takes no more frames', async () => {
    const path = standIn('fails', 'echo "no such codec" >&2; exit 3')
    let taken = 0
    function* counted() {
      for (const frame of frames(100_000)) {
        taken += 1
        yield frame
      }
    }
    const encoded = await runEncoder(counted(), run(path))
    expect(encoded).toEqual({ ok: false, reason: 'failed', said: 'no such codec' })
    expect(taken).toBeLessThan(100_000)
  })

  test('that takes too long is ended', async () => {
    const path = standIn('hangs', 'exec /bin/sleep 600')
    const encoded = await runEncoder(frames(100), run(path, { timeoutMs: 50 }))
    expect(encoded).toMatchObject({ ok: false, reason: 'too_long' })
  })

  test('is ended when the frames cannot be made', async () => {
    const path = standIn('waits', 'echo $$ > pid; exec /bin/cat > /dev/null')
    // biome-ignore lint/correctness/useYield: it fails before the first
    function* broken(): Generator<Uint8Array> {
      throw new Error('it cannot be drawn')
    }
    await expect(runEncoder(broken(), run(path))).rejects.toThrow('it cannot be drawn')
  })

  test('that does not exist is reported', async () => {
    const encoded = await runEncoder(frames(2), run(join(folder, 'nothing')))
    expect(encoded).toMatchObject({
      ok: false,
      reason: 'failed',
      said: expect.stringContaining('ENOENT'),
    })
    expect(existsSync(join(folder, 'nothing'))).toBe(false)
  })
})
