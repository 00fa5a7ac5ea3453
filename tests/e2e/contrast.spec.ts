import { mkdirSync } from 'node:fs'
import path from 'node:path'
import axe from 'axe-core'
import type { Page } from '@playwright/test'
import { expect, test, type OpenPanel } from './fixtures/journey.ts'
import { textsWithoutRoom } from './fixtures/room-for-texts.ts'
import type { Service } from './fixtures/service.ts'
import { openConsole, row, sendCommand, serverLink, signIn, status, tab } from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Goes through views with text, marks, charts, a console, lists, forms and dialogs, and looks at each. */
async function visit(
  openPanel: OpenPanel,
  service: Service,
  asked: (page: Page) => Promise<void>,
  look: (page: Page, view: string) => Promise<void>,
) {
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Far away', 'flood')
  await service.online(ann.token, serverId)
  const { page } = await openPanel()
  await asked(page)
  await expect(page.getByRole('button', { name: 'This computer' })).toBeVisible()
  await look(page, 'start')
  await signIn(page, service.baseUrl, ann)
  await expect(page.getByRole('table')).toBeVisible()
  await look(page, 'servers')
  await serverLink(page, 'Far away').click()
  await expect(page.getByRole('img', { name: /^CPU/ })).toBeVisible()
  await expect(status(page)).toHaveText('Online')
  await look(page, 'overview')
  await openConsole(page)
  await sendCommand(page, 'flood 50')
  await expect(row(page, 'lines is over')).toBeVisible()
  await look(page, 'console')
  await tab(page, 'Files').click()
  await expect(page.getByRole('tabpanel', { name: 'Files' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^New/ }).first()).toBeVisible()
  await look(page, 'files')
  await tab(page, 'Settings').click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Far away')
  await look(page, 'settings')
  await page.getByRole('button', { name: 'Delete server' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look(page, 'dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /^Notifications/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
  await look(page, 'notifications')
  await page.getByRole('link', { name: 'App settings' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'App settings' })).toBeVisible()
  await look(page, 'app settings')
  return page
}

/** A picture where `LOOKS` names a folder for them. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LOOKS
  if (!folder) return
  test.setTimeout(900_000)
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`) })
}

/** The tab that is open looks otherwise once the keys are at it. */
async function expectFocusSeen(page: Page): Promise<void> {
  const files = tab(page, 'Files')
  const outline = () =>
    files.evaluate((element) => {
      const { outlineWidth, outlineOffset, outlineColor } = getComputedStyle(element)
      return [outlineWidth, outlineOffset, outlineColor].join(' ')
    })
  await files.blur()
  const before = await outline()
  await page.keyboard.press('Shift')
  await files.focus()
  expect(await outline()).not.toBe(before)
}

test('where the system asks for more contrast, every text has 7 to 1', async ({
  openPanel,
  startService,
}) => {
  const faults: string[] = []
  await visit(
    openPanel,
    await startService({ flood: true }),
    (page) => page.emulateMedia({ contrast: 'more', reducedMotion: 'reduce' }),
    async (page, view) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await picture(page, `more contrast, ${view}, ${colorScheme}`)
        if (view === 'files') await expectFocusSeen(page)
        if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
        const found = await page.evaluate(async () => {
          const { run } = (window as unknown as { axe: typeof axe }).axe
          const { violations } = await run(document, {
            runOnly: { type: 'rule', values: ['color-contrast-enhanced'] },
            rules: { 'color-contrast-enhanced': { enabled: true } },
          })
          return violations.flatMap(({ nodes }) =>
            nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary ?? ''}`),
          )
        })
        faults.push(...found.map((fault) => `${view}, ${colorScheme}: ${fault}`))
      }
    },
  )
  expect(faults).toEqual([])
})

test('where the system has colors of its own, nothing is told by a color alone', async ({
  openPanel,
  startService,
}) => {
  const page = await visit(
    openPanel,
    await startService({ flood: true }),
    (page) => page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' }),
    async (page, view) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await picture(page, `forced colors, ${view}, ${colorScheme}`)
        if (view === 'files') await expectFocusSeen(page)
        expect(await page.evaluate(withoutEdge), `${view}, ${colorScheme}`).toEqual([])
      }
    },
  )
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus-visible')).toHaveCSS('outline-width', '3px')
  // What is on is drawn with another color of the system than what is off, and its knob is elsewhere.
  const knob = (on: boolean) =>
    page.evaluate((checked) => {
      const one = document.body.appendChild(document.createElement('input'))
      one.type = 'checkbox'
      one.className = 'switch'
      one.checked = checked
      const looks = [getComputedStyle(one).backgroundColor, getComputedStyle(one, '::after').translate]
      one.remove()
      return looks
    }, on)
  const [on, off] = [await knob(true), await knob(false)]
  expect(on[0]).not.toBe(off[0])
  expect(on[1]).not.toBe(off[1])
})

/** Runs in the page: controls and chosen things of which nothing but a ground would tell, which the system takes away. */
function withoutEdge(): string[] {
  const hasEdge = (element: Element) => {
    const style = getComputedStyle(element)
    return (
      (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) ||
      [style.borderTopWidth, style.borderBottomWidth].some((width) => parseFloat(width) > 0)
    )
  }
  const chosen = '[aria-selected="true"], [aria-current]:not([aria-current="false"]), [aria-pressed="true"]'
  return [
    ...document.querySelectorAll(
      `button, input:not([type=radio], [type=checkbox]), select, textarea, [role=dialog], ${chosen}`,
    ),
  ]
    .filter(
      (element) => element.checkVisibility({ opacityProperty: true }) && !element.closest('.xterm, .sr-only'),
    )
    .filter((element) => element.getBoundingClientRect().width > 1)
    .filter((element) => !hasEdge(element))
    .map((element) => (element.cloneNode(false) as Element).outerHTML)
}

test('at twice the size of text nothing is cut off in the smallest window', async ({
  openPanel,
  startService,
}) => {
  const faults: string[] = []
  await visit(
    openPanel,
    await startService({ flood: true }),
    async (page) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
      await page.setViewportSize({ width: 720, height: 600 })
      await expect(page.locator('body')).toHaveCSS('font-size', '26px')
    },
    async (page, view) => {
      await picture(page, `large text, ${view}`)
      const found = await page.evaluate(textsWithoutRoom, [...'aeiou'])
      faults.push(...found.map((fault) => `${view}: ${fault}`))
    },
  )
  expect(faults).toEqual([])
})
