import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { signedIn } from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openSection, serverLink, tab } from './fixtures/views.ts'

test.use({ sharesPanel: true })

// The settings of a server: a form and the text of its file, which are one change; what somebody else did is not lost.

const PROPERTIES = [
  '#Minecraft server properties',
  'motd=\\u00a7aWelcome to \\u00a7lthe meadow\\n\\u00a7rBring your own cow',
  'difficulty=hard',
  'max-players=20',
  'view-distance=99',
  'white-list=false',
  'rcon.password=hush',
  'my-plugin.greeting=hello',
  '',
].join('\n')

test('settings are found, changed in the form and in the file, and saved together', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Meadow')
  const file = path.join(folders[0] ?? '', 'server.properties')
  await writeFile(file, PROPERTIES)
  const looks = new Looks()
  await serverLink(page, 'Meadow').click()
  await openSection(page, 'Game settings')

  const setting = (key: string) => page.getByRole('listitem').filter({ hasText: key })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true }).last()
  await expect(
    page.getByRole('img', { name: 'Preview: Welcome to the meadow Bring your own cow' }),
  ).toBeVisible()
  await expect(setting('view-distance')).toContainText('The file says 99, which is out of range.')
  await expect(page.getByText('hush')).toHaveCount(0)
  await setting('motd').scrollIntoViewIfNeeded()
  await looks.at(page, 'settings', setting('motd'))

  await page.getByRole('searchbox', { name: 'Search settings' }).fill('how many players')
  await expect(setting('view-distance')).toHaveCount(0)
  await field('Player limit').fill('12')
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('')
  await field('View distance').fill('2')
  await expect(setting('view-distance')).toContainText('3 to 32.')
  await page.keyboard.press('ControlOrMeta+s')
  expect(await readFile(file, 'utf8')).toBe(PROPERTIES)
  await field('View distance').fill('12')

  await page.getByRole('button', { name: 'Show file' }).click()
  const code = page.getByRole('textbox', { name: 'Text of server.properties' })
  await expect(code).toContainText('max-players=12')
  await code.click()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('# ours\n')
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('white-list=true')
  await expect(page.getByRole('switch', { name: 'Whitelist', exact: true })).toBeChecked()
  await page.getByRole('button', { name: 'Review' }).click()
  await looks.at(page, 'settings, file and review')

  // Leaving asks first.
  await tab(page, 'Overview').click()
  await expect(page.getByRole('dialog')).toContainText('Save the changes to Settings?')
  await page.getByRole('button', { name: 'Stay here' }).click()
  await save.click()
  await expect(page.getByText('Saved.')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe(
    `# ours\n${PROPERTIES.replace('max-players=20', 'max-players=12').replace('=99', '=12')}white-list=true`,
  )
  await page.getByRole('button', { name: 'Hide file' }).click()

  // Somebody else is faster: both values are shown.
  await field('Player limit').fill('30')
  const now = await readFile(file, 'utf8')
  await writeFile(file, now.replace('max-players=12', 'max-players=40').replace('=hard', '=easy'))
  await save.click()
  await expect(page.getByText('These settings have been changed elsewhere')).toBeVisible()
  await looks.at(page, 'settings, conflict')
  await page.getByRole('button', { name: 'Mine: 30' }).click()
  await save.click()
  await expect.poll(() => readFile(file, 'utf8')).toContain('max-players=30')
  expect(await readFile(file, 'utf8')).toContain('difficulty=easy')
  looks.expectNothing()
})

test('the icon is made of any picture, shown, and removed', async ({ openPanel, startService }) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Meadow')
  await writeFile(path.join(folders[0] ?? '', 'server.properties'), PROPERTIES)
  await serverLink(page, 'Meadow').click()
  await openSection(page, 'Game settings')
  await expect(page.getByText('No icon')).toBeVisible()
  const picture = Buffer.from(
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(200, 100)
      const context = canvas.getContext('2d')!
      context.fillStyle = '#3a6'
      context.fillRect(0, 0, 200, 100)
      context.fillStyle = '#fd8'
      context.fillRect(75, 25, 50, 50)
      return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())]
    }),
  )
  await page
    .locator('input[type=file][accept="image/*"]')
    .setInputFiles({ name: 'wide.png', mimeType: 'image/png', buffer: picture })
  await expect(page.getByRole('img', { name: 'Server icon' })).toBeVisible()
  const icon = await readFile(path.join(folders[0] ?? '', 'server-icon.png'))
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([64, 64])
  // In the list and at the head of the server's page too, as soon as it is saved.
  const marks = page.locator('.mark[data-pictured]')
  await expect(marks).toHaveCount(2)
  const looks = new Looks()
  await looks.at(page, 'settings, icon', page.getByRole('img', { name: 'Server icon' }))
  looks.expectNothing()
  // It is kept: after a reload it is there again.
  await page.reload()
  await expect(marks).toHaveCount(2)
  await page.getByRole('button', { name: 'Remove icon' }).click()
  await expect(page.getByText('No icon')).toBeVisible()
  await expect(marks).toHaveCount(0)
})
