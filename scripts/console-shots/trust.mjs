// Keys after a rotation, a principal with a link, what the link shows, and what of all this is in the audit log.

export async function drawTrust(shots) {
  const { page, open, inDialog, quiet, settled, shoot } = shots
  await open('/keys')
  await page.getByRole('button', { name: 'Rotate' }).click()
  await settled(page)
  await shoot('rotate')
  await inDialog('Rotate').click()
  await page.getByRole('row').filter({ hasText: 'published' }).waitFor()
  await quiet()
  await shoot('keys')
  await open('/principals')
  await shoot('principals')
  await buyer(shots)
  await open('/audit')
  await shoot('audit')
}

async function buyer({ page, inDialog, quiet, settled, asGuest, shoot }) {
  await page.getByRole('link', { name: 'Demo buyer' }).click()
  await page.getByRole('heading', { name: 'About' }).waitFor()
  await page.getByRole('button', { name: 'Make a link' }).click()
  await inDialog('Make the link').click()
  const link = await page.locator('.secret code').textContent()
  await inDialog('I saved it').click()
  await asGuest(link, async (guest) => {
    await shoot('link', guest)
    await guest.getByRole('link', { name: 'Reports' }).click()
    await guest.getByRole('heading', { name: 'Reports' }).waitFor()
    await settled(guest)
    await shoot('link-reports', guest)
  })
  await page.getByText('(1×)').waitFor({ timeout: 60_000 })
  await quiet()
  await shoot('principal')
}
