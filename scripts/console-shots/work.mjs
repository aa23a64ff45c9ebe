// Tasks, and what waits for a decision.

export async function drawWork({ page, open, settled, shoot }) {
  await open('/tasks')
  await shoot('tasks')
  await open('/approvals')
  await shoot('approvals')
  await page.locator('main a.open').first().click()
  await page.getByRole('heading', { name: 'Approval', exact: true }).waitFor()
  await settled(page)
  await shoot('task')
}
