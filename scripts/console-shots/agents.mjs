// A task of the server itself is called; and a receiver is examined that takes whatever it is sent.

export async function drawAgents(shots) {
  await tryAgent(shots)
  await shots.shoot('agents')
  await examine(shots)
  await shots.shoot('doctor')
}

async function tryAgent({ page, url, open, inDialog, toTop }) {
  await open(`/agents?${new URLSearchParams({ task: 'simulate_task', url })}`)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByLabel('Field to add').selectOption('duration_seconds')
  await page.getByRole('button', { name: 'Add a field' }).click()
  await page.getByLabel('duration_seconds', { exact: true }).fill('120')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await inDialog('Call').click()
  await page.getByRole('heading', { name: 'Answer' }).waitFor({ timeout: 60_000 })
  await page.locator('.toast .copy').click()
  await toTop(page.getByRole('heading', { name: 'Call simulate_task' }))
}

async function examine({ page, open, settled, traffic }) {
  await open(`/agents/doctor?${new URLSearchParams({ subject: 'receiver', url: traffic.urls[0] })}`)
  await page.getByRole('button', { name: 'Examine', exact: true }).click()
  await page.getByRole('button', { name: 'Download as JSON' }).waitFor({ timeout: 120_000 })
  await settled(page)
}
