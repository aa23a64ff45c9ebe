// What models contribute to a build, if the operator has configured some (spec 4.2): they read the message, write
// words and draw. If one fails, the built-in reader or the layout engine does the work, and a note reports it.

import { defined } from '../../lib/defined.ts'
import { isTooCostly } from '../../lib/worker-pool/worker-pool-error.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { CreativeWorkerPool, OnBehalf } from '../jobs/creative-worker-pool.ts'
import { costOf } from '../jobs/too-costly.ts'
import type { AdBrand } from '../layout-engine/ad-input.ts'
import { MAX_READ_CHARS } from '../limits.ts'
import type { CheckedReading } from '../message/given-reading.ts'
import type { WordsToGuard } from '../message/guard-words.ts'
import type { GeneratedReading, GeneratedTexts, Generator } from '../model/generator.ts'
import type { Gathered, Picture } from './job.ts'
import type { PlannedBuild } from './plan-build.ts'
import { pictureSize, slotsOf } from './slots.ts'

interface Asking {
  ports: { generator?: Generator | undefined; workerPool: Pick<CreativeWorkerPool, 'run'> }
  by: OnBehalf & { signal: AbortSignal }
  note: (text: string) => void
}

interface BuiltFrom {
  brand: AdBrand
  formats: readonly Format[]
}

export async function askModels(
  plan: PlannedBuild,
  { brand, formats }: BuiltFrom,
  asking: Asking,
): Promise<Pick<Gathered, 'words' | 'drawings' | 'reading'>> {
  const { by } = asking
  const read = await readMessage(plan, asking)
  const { offering, message, hasPictures } = plan
  const { name, tagline, tone } = brand
  const about = {
    brand: { ...defined({ name, tagline, tone }) },
    ...defined({ offering, message }),
  }
  const why = hasPictures ? undefined : whyToWrite(plan, read)
  const words = why === undefined ? undefined : await write(about, why, asking)
  const drawings = hasPictures ? new Map() : await drawAll(about, formats, asking)
  if (by.signal.aborted) throw new Error('the build was aborted')
  return { reading: read?.reading, words, drawings }
}

interface Read extends Pick<Extract<CheckedReading, { ok: true }>, 'reading' | 'hasCopy'> {
  asksForCopy: boolean
}

/** Undefined if the built-in reader reads it. */
async function readMessage(
  { said }: Pick<PlannedBuild, 'said'>,
  { ports: { generator, workerPool }, by, note }: Asking,
): Promise<Read | undefined> {
  if (!generator?.read || said === '') return undefined
  const refuse = (reason: string) => {
    note(`the built-in reader read the message, and not the language model: ${reason}`)
    return undefined
  }
  if (said.length > MAX_READ_CHARS) return refuse(`it has more than ${MAX_READ_CHARS} characters`)
  const given: GeneratedReading | undefined = await generator.read({ message: said }, by.signal)
  if (!given) return refuse('it gave no answer that can be used')
  const request = { message: said, segments: given.segments }
  const checked = await workerPool
    .run('check_reading', request, by)
    .catch((error: unknown): CheckedReading => {
      if (isTooCostly(error)) return { ok: false, reason: costOf(error) }
      throw error
    })
  if (!checked.ok) return refuse(`its answer cannot be used, ${checked.reason}`)
  return { ...checked, asksForCopy: given.asks_for_copy === true }
}

/** A model writes only if the request has no finished copy or requests some. */
function whyToWrite(plan: PlannedBuild, read: Read | undefined): string | undefined {
  if (read?.asksForCopy) return 'the message requests copy'
  const hasCopy = plan.hasOwnTexts || (read ? read.hasCopy : plan.hasCopy)
  return hasCopy ? undefined : 'the request has no finished copy'
}

type About = Omit<WordsToGuard, 'words'>

async function write(
  about: About,
  why: string,
  asking: Asking,
): Promise<GeneratedTexts | undefined> {
  const { ports, by, note } = asking
  if (!ports.generator?.text) return undefined
  const limits = { headline: 60, description: 140, call_to_action: 20 }
  const written = await ports.generator.text({ ...about, limits }, by.signal)
  const words = await guarded(written, about, asking)
  note(
    words
      ? `the language model wrote the words that the request leaves open: ${why}`
      : 'the language model gave no words: they were set by rules',
  )
  return words
}

/** Facts that are not in the input are not printed, even if a model wrote them. */
async function guarded(
  words: GeneratedTexts | undefined,
  about: About,
  { ports: { workerPool }, by, note }: Asking,
): Promise<GeneratedTexts | undefined> {
  if (!words) return undefined
  const objection = await workerPool
    .run('guard_words', { ...about, words }, by)
    .catch((error: unknown) => {
      if (isTooCostly(error)) return `wrote what could not be checked: ${costOf(error)}`
      throw error
    })
  if (objection === undefined) return words
  note(`the language model ${objection}: its words were not used`)
  return undefined
}

async function drawAll(
  about: About,
  formats: readonly Format[],
  { ports: { generator, workerPool }, by, note }: Asking,
): Promise<Map<string, Picture>> {
  const drawings = new Map<string, Picture>()
  for (const { width, height } of generator?.image ? drawnSizes(formats) : []) {
    const prompt = `Advertising picture without any text or logo. ${JSON.stringify(about)}`
    const bytes = await generator?.image?.({ prompt, width, height }, by.signal)
    const request = bytes && { source: { bytes }, maxBytes: bytes.byteLength }
    const read = request && (await workerPool.run('read_picture', request, by).catch(ignoreCostly))
    if (bytes && read?.ok) {
      drawings.set(`${width}:${height}`, {
        bytes: read.bytes ?? bytes,
        media_type: read.media_type,
      })
    } else note('the image model gave no picture: it was drawn by rules')
  }
  return drawings
}

function ignoreCostly(error: unknown): undefined {
  if (!isTooCostly(error)) throw error
}

function drawnSizes(formats: readonly Format[]) {
  const slots = formats.flatMap((format) =>
    slotsOf(format)
      .filter(({ type, role, isRequired }) => type === 'image' && role === 'picture' && isRequired)
      .map((slot) => pictureSize(slot, format)),
  )
  return [...new Map(slots.map((size) => [`${size.width}:${size.height}`, size])).values()]
}
