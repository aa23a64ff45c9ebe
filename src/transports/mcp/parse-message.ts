// The JSON of a message or of a batch: the contexts of its calls are returned verbatim.

import { keepingParser } from '../../lib/verbatim-json.ts'

const CONTEXT = ['params', 'arguments', 'context']

export const parseMcpMessage = keepingParser([CONTEXT, ['*', ...CONTEXT]])
