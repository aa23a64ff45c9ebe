// The creative studio, with a campaign that it builds.

const MESSAGE = 'Fresh coffee every morning, roasted in our own house. Button: Order now.'
const BRAND = 'solara-coffee.example'

export async function drawStudio(shots) {
  const { page, open, drawn, shoot } = shots
  await open('/studio')
  await shoot('studio')
  await generate(shots)
  await campaign(shots)
  await open('/studio/library')
  await shoot('studio-library')
  await page.locator('main a.open').first().click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await drawn()
  await shoot('studio-creative')
}

async function generate({ page, open, drawn, quiet, toTop, shoot }) {
  await open('/studio/formats/display_300x250_html?mode=generate')
  await page.getByLabel('Message').fill(MESSAGE)
  await page.getByLabel('Brand, by its domain').fill(BRAND)
  await page.getByLabel('Variants').fill('3')
  await page.getByRole('button', { name: 'Generate', exact: true }).click()
  await page.getByRole('heading', { name: 'Variant 3' }).waitFor({ timeout: 120_000 })
  await toTop(page.getByRole('heading', { name: 'Generated' }))
  await drawn()
  await shoot('studio-variants')
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await page.getByText('fits its format').waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await quiet()
  await drawn()
  await shoot('studio-form')
}

async function campaign({ page, open, drawn, quiet, toTop, inDialog, shoot }) {
  await open('/studio/campaign')
  await page.getByLabel('Message').fill(MESSAGE)
  await page.getByLabel('Brand, by its domain').fill(BRAND)
  await page.getByRole('button', { name: /^Build/ }).click()
  await page.getByText(/^(\d+) of \1 built/).waitFor({ timeout: 120_000 })
  const cards = page.locator('.campaign-card')
  for (let n = 0; n < (await cards.count()); n += 1) {
    await cards.nth(n).scrollIntoViewIfNeeded()
    await drawn()
    await cards.nth(n).getByRole('button', { name: 'Save', exact: true }).click()
    await inDialog('Save').click()
    await cards.nth(n).getByText('Show it in the library').waitFor()
  }
  await toTop(page.getByRole('heading', { name: 'Side by side' }))
  await quiet()
  await drawn()
  await shoot('studio-campaign')
}
