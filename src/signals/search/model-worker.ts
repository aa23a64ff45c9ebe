// The thread of the sentence model: receives texts and returns their vectors, one after the other. Sends `missing` if
// the model cannot be loaded.

import { serveCalls } from '../../lib/serve-calls.ts'
import { type LoadedModel, loadModel } from '../matching/load-model.ts'

export type ModelAnswer = { vector: Float32Array } | { missing: string }

let loading: Promise<LoadedModel> | undefined

serveCalls<string, ModelAnswer>({
  handle: async (text) => {
    loading ??= loadModel()
    const model = await loading
    return 'missing' in model ? model : { vector: await model.embed(text) }
  },
  close: async () => {},
})
