// A connector of one's own: for a platform that takes its segments from a file which somebody uploads
// once in a while. Tell the server of it, and signals can be activated there:
//
//   ADWIRE_CONNECTORS='{"my-dsp": {"module": "./file-connector.mjs",
//                                  "options": {"file": "segments.json", "minutes": 60}}}'

import { readFile, rename, writeFile } from 'node:fs/promises'

/**
 * @param {{ file: string, minutes: number }} options The file, and how long the platform takes to read it.
 */
export function createConnector({ file, minutes }) {
  // One change of the file at a time, each whole: a reader never sees half of it.
  let last = Promise.resolve()
  const change = (edit) => {
    last = last
      .catch(() => {})
      .then(async () => {
        const segments = await read(file)
        edit(segments)
        await writeFile(`${file}.new`, JSON.stringify(segments, undefined, 2))
        await rename(`${file}.new`, file)
      })
    return last
  }

  const interim = ({ activation_id, started_at }) => {
    const leftMs = started_at + minutes * 60_000 - Date.now()
    return leftMs > 0
      ? { status: 'pending', etaMinutes: leftMs / 60_000, pollAfterMs: leftMs }
      : { status: 'live', key: { type: 'segment_id', segment_id: activation_id } }
  }

  return {
    // Called again after a crash or a failure, with the same activation_id: the entry is the same too.
    async activate(run) {
      const { activation_id, signal_agent_segment_id, target, signal } = run
      if (target.account === 'closed') {
        return { status: 'failed', reason: 'the account is closed', retryable: false }
      }
      await change((segments) => {
        segments[activation_id] = {
          segment: signal_agent_segment_id,
          name: signal.name,
          account: target.account ?? null,
        }
      })
      return interim(run)
    },
    poll: async (run) => interim(run),
    async deactivate({ activation_id }) {
      await change((segments) => {
        delete segments[activation_id]
      })
      return { status: 'off' }
    },
  }
}

async function read(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}
