// Media buys, and one with an impairment and a late report.

export async function drawBuys({ page, open, openFirst, drawn, shoot, shootDark }) {
  await open('/buys')
  await shoot('buys')
  await openFirst('/buys?trouble=late')
  await page.locator('.chart canvas').waitFor()
  await drawn()
  await shoot('buy')
  await shootDark('buy-dark')
}
