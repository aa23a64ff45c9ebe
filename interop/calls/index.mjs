// The calls whose answers are checked: every task, with what succeeds, what is refused, what takes a while, pages,
// empty lists, and every member that requests more. They are made in this order; `saves` keeps what later ones need.
import { accountCalls } from './accounts.mjs'
import { compactCalls } from './compact.mjs'
import { creativeCalls } from './creatives.mjs'
import { mediaBuyCalls } from './media-buys.mjs'
import { signalCalls } from './signals.mjs'
import { taskCalls } from './tasks.mjs'
import { worldOf } from './world.mjs'

/** Each a `task`, its `request` or what makes it of what was kept, and what of the answer is kept. */
export function shapeCalls(run) {
  const world = worldOf(run)
  const calls = []
  const add = (task, request, more = {}) => calls.push({ task, request, ...more })
  const parts = [accountCalls, signalCalls, creativeCalls, mediaBuyCalls, compactCalls, taskCalls]
  for (const part of parts) part(add, world)
  return calls
}
