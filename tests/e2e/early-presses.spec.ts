import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { serverLink, signIn } from './fixtures/views.ts'

// Parts of the window are loaded when they are first needed. What is pressed before they are there happens when they come.

/** Holds the script of a part back until it is let go, or refuses it. */
async function holdBack(page: Page, part: string) {
  const gate = Promise.withResolvers<'come' | 'fail'>()
  const asked = Promise.withResolvers<void>()
  const pattern = new RegExp(`/assets/${part}-[^/]*\\.js$`)
  // The first time alone: whoever asks for it again gets it.
  await page.route(
    pattern,
    async (route) => {
      asked.resolve()
      await ((await gate.promise) === 'come' ? route.continue() : route.abort())
    },
    { times: 1 },
  )
  return {
    /** Somebody has asked for it. */
    asked: asked.promise,
    come: () => gate.resolve('come'),
    fail: () => gate.resolve('fail'),
  }
}

test('the first presses in the list of servers happen once its tools are there @browser', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const ann = await service.account('Ann')
  for (const name of ['Far away', 'Nearby']) await service.server(ann.token, name)
  const { page, address } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  const far = serverLink(page, 'Far away')
  await expect(far).toBeVisible()

  // A new window, in which nobody has touched the list.
  const press = {
    'with the right button': () => far.click({ button: 'right' }),
    'by the button of its row': async () => {
      await far.hover()
      await page
        .getByRole('navigation', { name: 'Servers' })
        .getByRole('button', { name: 'Actions for Far away' })
        .click()
    },
    'by the key for menus': async () => {
      await far.focus()
      await page.keyboard.press('Shift+F10')
    },
  }
  for (const [how, act] of Object.entries(press)) {
    await test.step(`a menu that is asked for ${how}`, async () => {
      await page.goto(new URL('/', address).href)
      await expect(far).toBeVisible()
      const tools = await holdBack(page, 'RailTools')
      const menu = await holdBack(page, 'OpenedMenu')
      await act()
      await tools.asked
      await expect(page.getByRole('menu')).toHaveCount(0)
      tools.come()
      await menu.asked
      menu.come()
      await expect(page.getByRole('menu', { name: /Far away/ })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
      await expect(far).toBeFocused()
    })
  }

  await test.step('servers that are selected', async () => {
    await page.goto(new URL('/', address).href)
    await expect(far).toBeVisible()
    const tools = await holdBack(page, 'RailTools')
    await far.click({ modifiers: ['ControlOrMeta'] })
    await serverLink(page, 'Nearby').click({ modifiers: ['Shift'] })
    await tools.asked
    tools.come()
    await expect(page.getByRole('group', { name: 'Selected servers' })).toContainText('2')
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2)
    expect(page.context().pages()).toHaveLength(1)
  })
})

test('a part that cannot be loaded is told, and comes once the panel was reloaded @browser', async ({
  openPanel,
  startService,
  guard,
}) => {
  guard.allow(/net::ERR_FAILED/)
  const service = await startService()
  const ann = await service.account('Ann')
  await service.server(ann.token, 'Far away')
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  const shortcuts = await holdBack(page, 'Shortcuts')
  await serverLink(page, 'Far away').focus()
  await page.keyboard.press('?')
  await shortcuts.asked
  shortcuts.fail()
  await expect(page.getByText('This part of the panel couldn’t be loaded')).toBeVisible()
  await page.getByRole('button', { name: 'Reload the panel' }).click()
  await expect(page.getByText('This part of the panel couldn’t be loaded')).toHaveCount(0)
  await serverLink(page, 'Far away').focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('what is pressed is pressed, though it moves from under the pointer; and not where the pointer leaves it @browser', async ({
  openPanel,
}) => {
  const { page } = await openPanel()
  const button = page.getByRole('button', { name: 'Sign in to a service' })
  const press = async () => {
    const box = await button.boundingBox()
    if (!box) throw new Error('It has no place.')
    await page.mouse.move(box.x + 5, box.y + 5)
    await page.mouse.down()
    return box
  }
  // It is loaded once the pointer moves.
  await button.hover()
  const part = await page.waitForFunction(
    () => performance.getEntriesByType('resource').find(({ name }) => name.includes('/kept-presses-'))?.name,
  )
  await part.evaluate((name) => name && import(name))
  const { x, y } = await press()
  await page.mouse.move(x + 5, y - 300)
  await page.mouse.up()
  await expect(button).toBeVisible()
  await press()
  // As something above it that arrives.
  await page.getByRole('main').evaluate((main) => {
    main.style.paddingTop = '300px'
  })
  await page.mouse.up()
  await expect(page.getByLabel('Service address')).toBeVisible()
})
