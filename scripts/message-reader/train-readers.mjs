// Trains several readers at once, each on a thread of its own, from the labelled messages of a folder.
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { withFragments } from './fragments.mjs'
import { readAuthors, tokenised, trainingMessages } from './labelled.mjs'
import { exampleOf, trainReader } from './train-reader.mjs'

/** Readers that differ by chance: their mean errs less on authors that none of them knows. */
const SEEDS = [7, 8, 9]

/**
 * From the messages of the folder `data` `without` the authors of these names. The threads do not share anything, so the same
 * data gives the same readers. `log` receives a line after each epoch.
 */
export function trainReaders({ data, without, log }) {
  return Promise.all(
    SEEDS.map(async (seed, number) => {
      const thread = new Worker(new URL(import.meta.url), {
        workerData: { data, without, seed, number },
      })
      thread.on('message', ({ epoch }) => {
        if (epoch !== undefined) log(`network ${number + 1} of ${SEEDS.length}: epoch ${epoch}`)
      })
      const result = new Promise((resolve) => {
        thread.on('message', ({ reader }) => reader && resolve(reader))
      })
      // An error of the thread rejects what `once` waits for.
      const [reader] = await Promise.all([result, once(thread, 'exit')])
      return reader
    }),
  )
}

function trainHere({ data, without, seed, number }) {
  const examples = readAuthors(data)
    .filter(({ author }) => !without.includes(author))
    .flatMap((author) => withFragments(trainingMessages(author)))
    .map((message) => exampleOf(tokenised(message)))
  const reader = trainReader(examples, {
    seed,
    number,
    afterEpoch: (epoch) => parentPort.postMessage({ epoch }),
  })
  parentPort.postMessage({ reader })
}

if (!isMainThread && workerData?.seed !== undefined) trainHere(workerData)
