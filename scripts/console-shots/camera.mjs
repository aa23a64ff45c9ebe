// A page of the console and how it is taken pictures of: when nothing is loading any more, and small.
import { join } from 'node:path'
import sharp from 'sharp'

const WIDE = { viewport: { width: 1280, height: 860 }, colorScheme: 'light', timezoneId: 'UTC' }

export async function camera({ browser, url, images }) {
  const context = await browser.newContext(WIDE)
  const page = await context.newPage()

  const save = async (picture, name) => {
    const file = `console-${name}.webp`
    const { size } = await sharp(picture)
      .webp({ quality: 82, effort: 6 })
      .toFile(join(images, file))
    console.log(`${file}: ${Math.round(size / 1024)} KB`)
  }
  const shoot = async (name, of = page) => save(await of.screenshot(), name)
  /** The same once more, in the dark. */
  const shootDark = async (name) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await drawn()
    await shoot(name)
    await page.emulateMedia({ colorScheme: 'light' })
    await settled(page)
  }
  const open = async (path) => {
    await page.goto(`${url}/console${path}`)
    await settled(page)
  }
  const openFirst = async (path) => {
    await open(path)
    await page.locator('main a.open').first().click()
    await page.getByRole('heading', { name: 'About' }).waitFor()
    await settled(page)
  }
  /** What was said of an action is gone again. */
  const quiet = async () => {
    while ((await page.locator('.toast').count()) > 0) await page.waitForTimeout(200)
    await settled(page)
  }
  /** The frames and charts that are in sight have been drawn. */
  const drawn = async () => {
    await settled(page)
    await page.waitForTimeout(1_500)
  }
  const toTop = async (heading) => {
    await heading.evaluate((element) => {
      scrollTo(0, element.getBoundingClientRect().top + scrollY - 24)
    })
    await settled(page)
  }
  const inDialog = (name) => page.getByRole('dialog').getByRole('button', { name, exact: true })
  const signIn = async () => {
    await open('/')
    await shoot('sign-in')
    await page.getByRole('button', { name: 'Look around in the demo' }).click()
    await page.locator('.chart canvas').waitFor()
  }
  /** A page of somebody who is not signed in. */
  const asGuest = async (address, look) => {
    const guest = await browser.newContext(WIDE)
    const of = await guest.newPage()
    await of.goto(address)
    await settled(of)
    await look(of)
    await guest.close()
  }
  const moves = { open, openFirst, quiet, drawn, toTop, inDialog, signIn, asGuest }
  return { page, url, save, shoot, shootDark, settled, ...moves }
}

/** Nothing is loading any more, and what was drawn is on the screen. */
async function settled(page) {
  await page.locator('h1').first().waitFor()
  // Pictures have no scroll bar, so they need no room for one.
  await page.evaluate(() => {
    document.documentElement.style.scrollbarGutter = 'auto'
  })
  while ((await page.locator('.skeleton, [aria-busy=true]').count()) > 0) {
    await page.waitForTimeout(50)
  }
  await page.waitForTimeout(300)
}
