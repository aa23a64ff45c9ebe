// Arranges the parts of a stage: in a row on a strip, otherwise from top to bottom.

import { arrangeRow } from './arrange-row.ts'
import { arrangeStack } from './arrange-stack.ts'
import type { Frame, Part, Stage } from './scene.ts'

export function arrangeParts(stage: Stage, frame: Frame): Part[] {
  return frame.family === 'strip' ? arrangeRow(stage, frame) : arrangeStack(stage, frame)
}
