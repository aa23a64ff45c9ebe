// What the processor did, in milliseconds: of this process, and of the processes in which PostgreSQL serves it. It does not
// grow while others use the machine, as the time on the wall does.
import { readFileSync } from 'node:fs'

/** @returns {Promise<() => number>} so far, of this process and of those that serve it now */
export async function processorTime({ database }) {
  const rows =
    database.dialect === 'postgres'
      ? await database.read.all(
          'SELECT pid FROM pg_stat_activity WHERE datname = current_database()',
        )
      : []
  return () => {
    const { user, system } = process.cpuUsage()
    return rows.reduce((sum, { pid }) => sum + onProcessorMs(pid), (user + system) / 1_000)
  }
}

/** Linux reports it to the nanosecond; elsewhere it is not counted. */
function onProcessorMs(pid) {
  try {
    const [ns] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(ns) / 1e6
  } catch {
    return 0
  }
}
