// What was sent and received: the overview, deliveries, endpoints, received messages, and one webhook checked.

export async function drawWebhooks(shots) {
  const { page, open, openFirst, shoot, shootDark } = shots
  await open('/')
  await page.locator('.chart canvas').waitFor()
  await shoot('overview')
  await shootDark('overview-dark')
  await open('/deliveries')
  await shoot('deliveries')
  await openFirst('/deliveries?q=campaign-3-completed')
  await shoot('delivery')
  await shootDark('delivery-dark')
  await open('/endpoints')
  await shoot('endpoints')
  await openFirst('/endpoints?q=acme-media')
  await shoot('endpoint')
  await open('/received')
  await shoot('received')
  await openFirst('/received?state=dead')
  await shoot('message')
  await verify(shots)
  await shoot('verify')
}

/** Pastes a webhook that was sent. */
async function verify({ page, url, open, settled }) {
  const get = async (path) => (await page.request.get(`${url}${path}`)).json()
  const { items } = await get('/console/api/deliveries?status=delivered&limit=1')
  const { body, history } = await get(`/console/api/deliveries/${items[0].delivery_id}`)
  const { headers, url: sentTo } = history.at(-1).request
  const lines = [`POST ${new URL(sentTo).pathname} HTTP/1.1`, `host: ${new URL(sentTo).host}`]
  lines.push(...headers.map(({ name, value }) => `${name}: ${value}`), '', body.text)
  await open('/verify')
  await page.getByLabel('The request').fill(lines.join('\n'))
  await page.getByLabel('Sent to').fill(new URL(sentTo).origin)
  await page.getByText('Or paste its key set').click()
  await page
    .getByLabel('Key set (JWKS)')
    .fill(await (await page.request.get(`${url}/.well-known/jwks.json`)).text())
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.locator('.steps').waitFor()
  await page.evaluate(() => {
    for (const area of document.querySelectorAll('textarea')) area.scrollTo(0, 0)
    scrollTo(0, 0)
  })
  await settled(page)
}
