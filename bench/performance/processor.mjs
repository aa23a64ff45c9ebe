// Processor time of a process and all that it started, ended ones included: a database serves each connection with a
// process of its own. In milliseconds, to the hundredth of a second of Linux; NaN elsewhere.
import { readFileSync } from 'node:fs'
import { childrenOf } from '../support/processes.mjs'

const MS_PER_TICK = 10

export function treeCpuMs(pid) {
  return childrenOf(pid).reduce((sum, child) => {
    const ofChild = treeCpuMs(child)
    // It ended meanwhile, so its parent has it.
    return Number.isNaN(ofChild) ? sum : sum + ofChild
  }, cpuWithEnded(pid))
}

function cpuWithEnded(pid) {
  try {
    // The fields behind the name: utime, stime and those of ended children are the 12th to the 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    return MS_PER_TICK * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  } catch {
    return Number.NaN
  }
}
