// References of the registry, one domain, and a file with faults.

const FAULTY = `{
  "id": 7,
  "names": "Acme",
  "house_domain": "acme.example",
  "colors": { "primary": "blue" },
  "logos": [{ "url": "ftp://cdn.acme.example/logo.svg" }]
}
`

export async function drawRegistry({ page, open, settled, shoot }) {
  await open('/registry')
  await shoot('registry')
  await open('/registry/northwind-outdoor.example')
  await shoot('domain')
  await open('/registry/feed')
  await shoot('feed')
  await open('/registry/check')
  await page.getByLabel('The file').fill(FAULTY)
  await page.getByRole('button', { name: 'Check' }).click()
  await page.locator('.issues').waitFor()
  await settled(page)
  await shoot('check')
}
