import { expect, test } from 'vitest'
import { ownFiles } from '../../src/console/studio-builds.ts'

const OWN = 'https://ads.example'
const DIGEST = 'a'.repeat(64)
const filesOf = (url: string) =>
  ownFiles({ assets: { banner: { asset_type: 'image', url, width: 1, height: 1 } } }, OWN)

test('a file that this server keeps is linked by its path', () => {
  expect(filesOf(`${OWN}/assets/${DIGEST}.png`)).toEqual([
    { slot: 'banner', path: `/assets/${DIGEST}.png` },
  ])
})

test.each([
  `${OWN}/assets/..//attacker.example/a.png`,
  `${OWN}/assets/../console/api/session`,
  `${OWN}/assets/%2e%2e/console/api/session`,
  `${OWN}/assets/${DIGEST}.png/../../../console/api/session`,
  `${OWN}/assets/${DIGEST}.svg`,
  `${OWN}/assets/${DIGEST}.png?x`,
  `${OWN}.attacker.example/assets/${DIGEST}.png`,
  'javascript:alert(1)',
])('%s is not linked as a file of this server', (url) => {
  expect(filesOf(url)).toEqual([])
})
