// The loops in which training spends its time, as WebAssembly that computes four numbers at a time. The module is put together
// here, instruction by instruction, so that training needs no compiler; it gives the same numbers on every machine.

const LANES = 4
const BYTES = 4
const PAGE = 65_536

const TYPE_I32 = 0x7f
const TYPE_F32 = 0x7d
const TYPE_V128 = 0x7b

/**
 * Kernels for vectors of `size` numbers, and the memory that they compute in, of which `allot(length)` gives out arrays.
 * Pointers are `byteOffset` of these arrays; `count` is a number of consecutive vectors.
 *
 * - `multiply(input, weights, output, count)` adds to each output its input times the weights, row by row of the input.
 * - `back(input, weights, flow, toInput, toWeights, count)` adds the gradients of that, given those of the output.
 * - `move(row, squares, gradient, rate)` is a step of AdaGrad for one vector.
 * - `adapt(values, gradient, first, second, count, share, rate, scale)` is a step of Adam for `count` times four numbers: `share`
 *   scales the gradient, `rate` the first moment, and `scale` the second; the gradient becomes zero.
 */
export function kernelsFor(size, bytes) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) })
  const module = new WebAssembly.Module(moduleBytes(size))
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  let next = 0
  return {
    ...exports,
    allot(length) {
      const array = new Float32Array(memory.buffer, next, length)
      next += Math.ceil(length / LANES) * LANES * BYTES
      return array
    },
  }
}

const get = (local) => [0x20, ...unsigned(local)]
const set = (local) => [0x21, ...unsigned(local)]
const constant = (value) => [0x41, ...signed(value)]
const fraction = (value) => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)]
const I32_ADD = [0x6a]
const I32_SUB = [0x6b]
const vector = (code) => [0xfd, ...unsigned(code)]
const at = (offset) => [2, ...unsigned(offset)]
const load = (pointer, offset) => [...get(pointer), ...vector(0x00), ...at(offset)]
const loadSplat = (pointer, offset) => [...get(pointer), ...vector(0x09), ...at(offset)]
/** The address comes before the value. */
const store = (pointer, offset, value) => [
  ...get(pointer),
  ...value,
  ...vector(0x0b),
  ...at(offset),
]
const ADD = vector(0xe4)
const MULTIPLY = vector(0xe6)
const SUBTRACT = vector(0xe5)
const DIVIDE = vector(0xe7)
const ROOT = vector(0xe3)
const SPLAT = vector(0x13)
const lane = (number) => [...vector(0x1f), number]
const F32_ADD = [0x92]
const F32_LOAD = [0x2a]
const F32_STORE = [0x38]
const advance = (pointer, by) => [...get(pointer), ...constant(by), ...I32_ADD, ...set(pointer)]

/** While the local, which counts down, is not zero. */
const loop = (counter, body) => [
  [0x02, 0x40, 0x03, 0x40],
  [...get(counter), 0x45, 0x0d, 1],
  ...body,
  [...get(counter), ...constant(1), ...I32_SUB, ...set(counter)],
  [0x0c, 0, 0x0b, 0x0b],
]

function multiplyBody(size) {
  const [input, weights, output, count, row, place, value, sums] = [0, 1, 2, 3, 4, 5, 6, 7]
  const parts = Array.from({ length: size / LANES }, (_, part) => part)
  const body = loop(count, [
    ...parts.flatMap((part) => [...load(output, part * 16), ...set(sums + part)]),
    ...get(weights),
    ...set(row),
    ...constant(size),
    ...set(place),
    ...loop(place, [
      ...loadSplat(input, 0),
      ...set(value),
      ...parts.flatMap((part) => [
        ...get(sums + part),
        ...get(value),
        ...load(row, part * 16),
        ...MULTIPLY,
        ...ADD,
        ...set(sums + part),
      ]),
      ...advance(input, BYTES),
      ...advance(row, size * BYTES),
    ]),
    ...parts.flatMap((part) => store(output, part * 16, get(sums + part))),
    ...advance(output, size * BYTES),
  ])
  return { numbers: 4, locals: [2, 1 + parts.length], body }
}

function backBody(size) {
  const [input, weights, flow, toInput, toWeights, count] = [0, 1, 2, 3, 4, 5]
  const [row, toRow, place, value, sum, flows] = [6, 7, 8, 9, 10, 11]
  const parts = Array.from({ length: size / LANES }, (_, part) => part)
  const body = loop(count, [
    ...parts.flatMap((part) => [...load(flow, part * 16), ...set(flows + part)]),
    ...get(weights),
    ...set(row),
    ...get(toWeights),
    ...set(toRow),
    ...constant(size),
    ...set(place),
    ...loop(place, [
      ...loadSplat(input, 0),
      ...set(value),
      ...parts.flatMap((part) => [
        ...store(toRow, part * 16, [
          ...load(toRow, part * 16),
          ...get(value),
          ...get(flows + part),
          ...MULTIPLY,
          ...ADD,
        ]),
        part === 0 ? [] : get(sum),
        ...load(row, part * 16),
        ...get(flows + part),
        ...MULTIPLY,
        part === 0 ? [] : ADD,
        ...set(sum),
      ]),
      ...get(toInput),
      [...get(toInput), ...F32_LOAD, ...at(0)],
      ...[0, 1, 2, 3].flatMap((number) => [...get(sum), ...lane(number), ...F32_ADD]),
      [...F32_STORE, ...at(0)],
      ...advance(input, BYTES),
      ...advance(toInput, BYTES),
      ...advance(row, size * BYTES),
      ...advance(toRow, size * BYTES),
    ]),
    ...advance(flow, size * BYTES),
  ])
  return { numbers: 6, locals: [3, 2 + parts.length], body }
}

function moveBody(size) {
  const [row, squares, gradient, rate, own, square] = [0, 1, 2, 3, 4, 5]
  const parts = Array.from({ length: size / LANES }, (_, part) => part)
  const body = parts.flatMap((part) => [
    ...load(gradient, part * 16),
    ...set(own),
    ...load(squares, part * 16),
    ...get(own),
    ...get(own),
    ...MULTIPLY,
    ...ADD,
    ...set(square),
    ...store(squares, part * 16, get(square)),
    ...store(row, part * 16, [
      ...load(row, part * 16),
      ...get(rate),
      ...SPLAT,
      ...get(own),
      ...MULTIPLY,
      ...get(square),
      ...ROOT,
      ...DIVIDE,
      ...ADD,
    ]),
  ])
  return { numbers: 3, fractions: 1, locals: [0, 2], body }
}

const SHRINKING = 1e-5
const NEARLY_ZERO = 1e-8
const MOMENTS = { first: 0.1, second: 0.001 }

function adaptBody() {
  const [values, gradient, first, second, count, share, rate, scale] = [0, 1, 2, 3, 4, 5, 6, 7]
  const [own, moment, divisor] = [8, 9, 10]
  /** Leaves the moved moment in its local and in memory. */
  const moved = (pointer, target, by) => [
    ...load(pointer, 0),
    ...fraction(by),
    ...SPLAT,
    ...target,
    ...load(pointer, 0),
    ...SUBTRACT,
    ...MULTIPLY,
    ...ADD,
    ...set(moment),
    ...store(pointer, 0, get(moment)),
  ]
  const body = loop(count, [
    [...load(gradient, 0), ...get(share), ...SPLAT, ...MULTIPLY],
    [...load(values, 0), ...fraction(SHRINKING), ...SPLAT, ...MULTIPLY, ...SUBTRACT],
    ...set(own),
    ...store(gradient, 0, [...fraction(0), ...SPLAT]),
    ...moved(second, [...get(own), ...get(own), ...MULTIPLY], MOMENTS.second),
    [...get(moment), ...get(scale), ...SPLAT, ...MULTIPLY, ...ROOT],
    [...fraction(NEARLY_ZERO), ...SPLAT, ...ADD, ...set(divisor)],
    ...moved(first, get(own), MOMENTS.first),
    ...store(values, 0, [
      ...load(values, 0),
      [...get(moment), ...get(rate), ...SPLAT, ...MULTIPLY, ...get(divisor), ...DIVIDE],
      ...ADD,
    ]),
    ...[values, gradient, first, second].flatMap((pointer) => advance(pointer, LANES * BYTES)),
  ])
  return { numbers: 5, fractions: 3, locals: [0, 3], body }
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

function moduleBytes(size) {
  const functions = {
    multiply: multiplyBody(size),
    back: backBody(size),
    move: moveBody(size),
    adapt: adaptBody(),
  }
  const all = Object.values(functions)
  const types = all.map(({ numbers, fractions = 0 }) => {
    const own = [...Array(numbers).fill([TYPE_I32]), ...Array(fractions).fill([TYPE_F32])]
    return [0x60, ...counted(own), 0]
  })
  const codes = all.map(({ locals: [numbers, vectors], body }) => {
    const groups = [
      [...unsigned(numbers), TYPE_I32],
      [...unsigned(vectors), TYPE_V128],
    ]
    const code = [...counted(groups), ...body.flat(Number.POSITIVE_INFINITY), 0x0b]
    return [...unsigned(code.length), ...code]
  })
  const imported = [...named('env'), ...named('memory'), 0x02, 0x00, 1]
  const exported = Object.keys(functions).map((name, index) => [...named(name), 0x00, index])
  const sections = [
    section(1, counted(types)),
    section(2, counted([imported])),
    section(3, counted(all.map((_one, index) => [index]))),
    section(7, counted(exported)),
    section(10, counted(codes)),
  ]
  return new Uint8Array([MAGIC, ...sections].flat())
}

function section(id, content) {
  return [id, ...unsigned(content.length), ...content]
}

function counted(entries) {
  return [...unsigned(entries.length), ...entries.flat()]
}

function named(text) {
  return counted([...Buffer.from(text)].map((byte) => [byte]))
}

/** LEB128. */
function unsigned(value) {
  const bytes = []
  let left = value
  do {
    const byte = left & 0x7f
    left >>>= 7
    bytes.push(left === 0 ? byte : byte | 0x80)
  } while (left !== 0)
  return bytes
}

function signed(value) {
  const bytes = []
  let left = value
  for (;;) {
    const byte = left & 0x7f
    left >>= 7
    if ((left === 0 && (byte & 0x40) === 0) || (left === -1 && (byte & 0x40) !== 0)) {
      return [...bytes, byte]
    }
    bytes.push(byte | 0x80)
  }
}
