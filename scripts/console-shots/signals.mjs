// A search, a signal that is activated, and the catalogue with a file that has faults.

const FILE = `signal_agent_segment_id,name,description,signal_type,data_provider,coverage_percentage,cpm,currency,platforms
alpine-skiers,Alpine skiers,Households that booked a ski trip in the last two winters,marketplace,Strideway,11.5,2.4,USD,sandbox
trail-runners,Trail runners,People who run off the road every week,marketplace,Strideway,7.2,1.9,USD,sandbox
cabin-owners,Cabin owners,Owners of a second home in the mountains,market,Strideway,120,3.1,USD,sandbox
gear-switchers,Gear switchers,,marketplace,Strideway,4,1.2,USD,sandbox
`

export async function drawSignals({ page, open, settled, shoot, shootDark }) {
  await open('/signals?q=families%20planning%20their%20first%20ski%20trip')
  await page.locator('.result').first().waitFor({ timeout: 120_000 })
  await settled(page)
  await shoot('signals')
  await shootDark('signals-dark')
  await open('/signals/catalogue/strideway-out-hikers')
  await page.getByLabel('Where').selectOption({ label: 'sandbox' })
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.locator('.place-activations').getByText('activating').waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await settled(page)
  await shoot('signal')
  await open('/signals/catalogue')
  await shoot('catalogue')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'winter-2026.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) })
  await page.getByRole('button', { name: /^Import \d/ }).waitFor()
  await settled(page)
  await shoot('import')
}
