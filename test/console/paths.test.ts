import { expect, test } from 'vitest'
import { placeOf } from '../../console/src/paths.ts'

test.each([
  ['/studio/formats/library', { format: 'library' }],
  ['/studio/formats/campaign', { format: 'campaign' }],
  ['/studio/library/library', { library_id: 'library' }],
  ['/signals/catalogue/catalogue', { signal_id: 'catalogue' }],
  ['/signals/catalogue/b%2Fhikers%3F', { signal_id: 'b/hikers?' }],
])('%s is the thing of that id, whatever a stranger called it', (path, params) => {
  expect(placeOf(path)?.params).toEqual(params)
})
