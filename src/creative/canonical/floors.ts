// The minimum requirements of every declaration of a canonical kind (spec 2.3, as in 3.2): ways to size it,
// densities, how long a TV ad must be displayed, and that an overlay can be closed and does not flicker.

import { isObject } from '../../protocol/schemas/checks.ts'
import { collectFaults, type Faults, type ManifestFault } from '../manifest-check/fault.ts'
import { valueIn } from '../manifest-check/format-slots.ts'

type Members = Readonly<Record<string, unknown>>

/** Places are pointers into the parameters. Empty when every minimum is met. */
export function belowFloors(kind: string, params: Members): ManifestFault[] {
  const { faults, found } = collectFaults()
  checkLengths(params, faults)
  checkSizeMode(params, faults)
  checkDensities(params, faults)
  checkTelevision(kind, params, faults)
  checkStates(params, faults)
  return found()
}

const LISTS = ['pixel_ratios', 'slots', 'states', 'transitions']

function checkLengths(params: Members, faults: Faults): void {
  for (const member of LISTS) {
    const list = valueIn(params, member)
    if (!Array.isArray(list) || list.length <= MAX_LISTED) continue
    const message = `At most ${MAX_LISTED} items of ${member} are checked: send no more than that.`
    faults.at(member).add('maxItems', message, { expected: MAX_LISTED, actual: list.length })
  }
}

const RANGES = ['min_width', 'max_width', 'min_height', 'max_height']

function checkSizeMode(params: Members, faults: Faults): void {
  const modes = [
    ['width', 'height'].some((one) => valueIn(params, one) !== undefined),
    params.sizes !== undefined,
    RANGES.some((one) => valueIn(params, one) !== undefined),
  ]
  const isHalf = (params.width === undefined) !== (params.height === undefined)
  if (modes.filter(Boolean).length < 2 && !isHalf) return
  const message = 'Give one way to size it: width with height, sizes, or a range.'
  faults.add('size_mode', message)
}

function checkDensities(params: Members, faults: Faults): void {
  const common = ratiosOf(params.pixel_ratios)
  checkRepeated(common, faults.at('pixel_ratios'))
  for (const [index, slot] of listOf(params.slots).entries()) {
    const at = faults.at('slots', index)
    const own = ratiosOf(slot.pixel_ratios)
    checkRepeated(own, at.at('pixel_ratios'))
    const accepted = own && common ? own.filter((one) => common.includes(one)) : (own ?? common)
    if (own && common && accepted?.length === 0) {
      const message = 'No pixel ratio is both in pixel_ratios of the format and of the slot.'
      at.at('pixel_ratios').add('pixel_ratio_intersection_empty', message, { expected: common })
      continue
    }
    const takes = accepted ?? [1]
    for (const ratio of ratiosOf(slot.required_pixel_ratios) ?? []) {
      if (takes.includes(ratio)) continue
      const message = `A required ratio must be accepted: the slot takes ${takes.join(', ')}.`
      const values = { expected: takes, actual: ratio }
      at.at('required_pixel_ratios').add('required_pixel_ratio_not_accepted', message, values)
    }
  }
}

function checkRepeated(ratios: readonly number[] | undefined, faults: Faults): void {
  const twice = ratios?.find((one, index) => ratios.indexOf(one) !== index)
  if (twice === undefined) return
  faults.add('pixel_ratio_duplicate', 'Each pixel ratio may appear only once.', {
    actual: twice,
  })
}

/** The experiences that each kind allows; other kinds have none. */
const EXPERIENCES = new Map([
  ['image', ['pause', 'screensaver']],
  ['video_hosted', ['screensaver']],
  ['native_in_feed', ['menu', 'overlay']],
  ['video_vast', ['pause', 'screensaver', 'overlay', 'squeezeback', 'in_scene']],
])

const LEAST_MS = new Map([
  ['overlay', 10_000],
  ['squeezeback', 10_000],
  ['in_scene', 3_000],
])

function checkTelevision(kind: string, params: Members, faults: Faults): void {
  const { ctv_ad_experience: experience } = params
  if (typeof experience !== 'string') return
  const known = EXPERIENCES.get(kind) ?? []
  if (!known.includes(experience)) {
    const can = known.length > 0 ? `it can be ${known.join(', ')}` : 'it can be none'
    const message = `${kind} is not ${experience} on a television: ${can}.`
    faults.at('ctv_ad_experience').add('ctv_ad_experience', message, { expected: known })
    return
  }
  if (kind !== 'video_vast') return
  if (params.creative_type !== 'nonlinear') {
    const message = `${experience} runs beside the programme: creative_type must be nonlinear.`
    faults.at('creative_type').add('creative_type', message, { expected: 'nonlinear' })
  }
  if (params.simid_supported === true) {
    const message = 'An ad that runs beside the programme has no SIMID: leave simid_supported out.'
    faults.at('simid_supported').add('simid_supported', message, { expected: false })
  }
  checkDisplayed(experience, params, faults)
}

function checkDisplayed(experience: string, params: Members, faults: Faults): void {
  const floor = LEAST_MS.get(experience)
  if (floor === undefined) return
  const { duration_ms_exact: exact, duration_ms_range: range } = params
  const least = exact ?? (Array.isArray(range) ? range[0] : undefined)
  if (typeof least === 'number' && least >= floor) return
  const member = exact === undefined ? 'duration_ms_range' : 'duration_ms_exact'
  const message = `${experience} on a television must be displayed for at least ${floor} ms.`
  faults.at(member).add('ctv_duration_floor', message, { expected: floor, actual: least })
}

const OVER_A_PAGE: ReadonlySet<unknown> = new Set(['overlay', 'fullscreen_overlay'])
const TIMED: ReadonlySet<unknown> = new Set(['timer', 'in_view_timer'])
const LEAST_CYCLE_MS = 1_000

function checkStates(params: Members, faults: Faults): void {
  const { dismissible } = isObject(params.user_controls) ? params.user_controls : {}
  for (const [index, state] of listOf(params.states).entries()) {
    if (!OVER_A_PAGE.has(state.anchoring)) continue
    if (dismissible === true && state.close_affordance === true) continue
    const message =
      'What lies over a page can be closed: set close_affordance, and user_controls.dismissible.'
    faults.at('states', index).add('dismissibility_floor', message)
  }
  const transitions = listOf(params.transitions)
  for (const [index, { trigger, delay_ms, from_state_id, to_state_id }] of transitions.entries()) {
    if (!TIMED.has(trigger) || !leadsTo(transitions, to_state_id, from_state_id)) continue
    if (typeof delay_ms === 'number' && delay_ms >= LEAST_CYCLE_MS) continue
    const message = `States that rotate on a timer must each be displayed for at least ${LEAST_CYCLE_MS} ms.`
    const values = { expected: LEAST_CYCLE_MS, actual: delay_ms }
    faults.at('transitions', index, 'delay_ms').add('timer_cycle_floor', message, values)
  }
}

/** Whether one state can be reached from another, in any number of steps. */
function leadsTo(transitions: readonly Members[], from: unknown, to: unknown): boolean {
  const next = new Map<unknown, unknown[]>()
  for (const { from_state_id, to_state_id } of transitions) {
    const known = next.get(from_state_id)
    if (known) known.push(to_state_id)
    else next.set(from_state_id, [to_state_id])
  }
  const seen = new Set([from])
  // A set is iterated in insertion order, including entries added during the iteration.
  for (const state of seen) {
    if (state === to) return true
    for (const one of next.get(state) ?? []) seen.add(one)
  }
  return false
}

/** The maximum that one declaration may list; of longer lists the first entries are checked, and that is reported. */
const MAX_LISTED = 100

function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject).slice(0, MAX_LISTED) : []
}

function ratiosOf(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter((one) => typeof one === 'number').slice(0, MAX_LISTED)
}
