import { expect, test } from 'vitest'
import { MODEL_FILES, missingModelFile } from '../../../src/signals/matching/model-files.ts'

test('the sources find the files of the model where the build has put them', () => {
  expect(missingModelFile()).toBeUndefined()
})

test('a file that is missing is named, with what to do', () => {
  const gone = new URL('file:///nowhere/model_quantized.onnx')
  expect(missingModelFile([MODEL_FILES.tokenizer, gone])).toBe(
    '/nowhere/model_quantized.onnx is missing: reinstall adwire, or build it',
  )
})
