import type { Layer } from '../../src/creative/message/read-message.ts'

export const LAYERS: Layer[]
