// The thread of the sentence model: a text in, its vector out, one after the other. Says `missing` when
// the model cannot be loaded.

import { type LoadedModel, loadModel } from '../../signals/matching/load-model.ts'
import { serveCalls } from './serve-calls.ts'

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
