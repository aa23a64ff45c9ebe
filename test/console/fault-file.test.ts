import { expect, test } from 'vitest'
import { faultLines } from '../../console/src/fault-file.ts'

test('faults are a CSV whose cells no table program takes for formulas', () => {
  const faults = [
    { row: 'line 3', faults: [{ pointer: '=cmd()', message: 'say "x", or y' }] },
    { row: 'line 4', faults: [{ pointer: '', message: '@sum' }] },
  ]
  expect(faultLines(faults, (pointer) => pointer || 'the row')).toBe(
    [
      '"row","field","fault"',
      '"line 3","\'=cmd()","say ""x"", or y"',
      '"line 4","the row","\'@sum"',
      '',
    ].join('\r\n'),
  )
})
