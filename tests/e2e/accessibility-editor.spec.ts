import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { code, dialog, openEntry, openFiles, signedIn } from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { someBytes, write } from './fixtures/trees.ts'

// Nothing is half way to its color when it is looked at.
test.use({ sharesPanel: true, contextOptions: { reducedMotion: 'reduce' } })

/** Files of every kind that has colors of its own. */
async function lookAtKinds(page: Page, looks: Looks): Promise<void> {
  for (const name of ['ops.json', 'config.toml', 'log4j.xml', 'latest.log', 'read me.txt']) {
    await openEntry(page, name)
    await expect(code(page, name)).toBeVisible()
    await looks.at(page, `editor, ${name}`)
    await page.getByRole('button', { name: 'Close the file' }).click()
  }
  await openEntry(page, 'config.yml')
  await expect(code(page, 'config.yml')).toContainText('a comment')
  await looks.at(page, 'editor, yaml')
  await page.getByRole('button', { name: 'Previous versions' }).click()
  await expect(page.getByText('No previous versions')).toBeVisible()
  await looks.at(page, 'editor, no former version')
  await page.getByRole('button', { name: 'Close the file' }).click()
}

/** Text that is not saved, was changed elsewhere, or whose file is gone. */
async function lookAtChanges(page: Page, looks: Looks, file: string, text: string): Promise<void> {
  await openEntry(page, 'server.properties')
  await expect(code(page, 'server.properties')).toContainText('pvp')
  await code(page, 'server.properties').click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('one-more=true')
  await looks.at(page, 'editor, unsaved')
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('m')
  await looks.at(page, 'editor, search')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Close the file' }).click()
  await looks.atDialog(page, 'editor, leaving')
  await writeFile(file, text.replace('easy', 'hard').replace('A server', 'Their server'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('This file has been changed elsewhere.')).toBeVisible()
  await looks.at(page, 'editor, comparison')
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByRole('button', { name: 'Previous versions' })).toBeVisible()
  await page.getByRole('button', { name: 'Previous versions' }).click()
  await expect(page.getByRole('button', { name: 'Restore' })).toBeEnabled()
  await looks.at(page, 'editor, former versions')
  await page.getByRole('button', { name: 'Close previous versions' }).click()
  await code(page, 'server.properties').click()
  await page.keyboard.type('x')
  await rm(file)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog(page)).toContainText('has been deleted')
  await looks.at(page, 'editor, deleted meanwhile')
  await dialog(page).getByRole('button', { name: 'Close without saving' }).click()
}

test('axe finds nothing in the editor and its questions', async ({ openPanel, startService }) => {
  const looks = new Looks()
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  const file = path.join(folder, 'server.properties')
  const text = '# Made by hand\ndifficulty=easy\nmotd=A server\nmax-players=20\npvp=true\n'
  await write(folder, {
    'server.properties': text,
    'config.yml': 'name: test\nlist:\n  - 1\n  - "two" # a comment\n',
    'ops.json': JSON.stringify([{ uuid: '1-2', name: 'Ann', level: 4, bypassesPlayerLimit: false }], null, 2),
    'config.toml': '# Ports\n[server]\nport = 25565\nname = "A server"\nsince = 2026-11-21T10:00:00Z\n',
    'log4j.xml':
      '<?xml version="1.0"?>\n<!-- Log -->\n<Root level="info">\n  <AppenderRef ref="File"/>\n</Root>\n',
    'latest.log':
      '[12:00:00] [Server thread/INFO]: Done (3.2s)!\r\n[12:00:01] [Server thread/WARN]: Can’t keep up!\r\n' +
      '[12:00:02] [Server thread/ERROR]: Could not pass event\r\n\tat net.minecraft.Server.run(Server.java:1)\r\n',
    'read me.txt': `${'A line that is much longer than any window is wide, so that it has to be wrapped. '.repeat(9)}\n世界 العالم 🌍\n`,
    'level.dat': someBytes(5000, 1),
    'empty.dat': '',
    'large.log': '[12:00:00] [Server thread/INFO]: a line of the log\n'.repeat(120_000),
  })
  await openFiles(page, 'Far away')
  await lookAtKinds(page, looks)
  await lookAtChanges(page, looks, file, text)
  await openEntry(page, 'large.log')
  await expect(page.getByRole('region', { name: 'Content of the file' })).toContainText('a line')
  await looks.at(page, 'pager, log')
  await page.getByLabel('Offset').fill('nowhere')
  await page.getByRole('button', { name: 'Jump' }).click()
  await looks.at(page, 'pager, wrong offset')
  await page.getByRole('button', { name: 'Close the file' }).click()
  await openEntry(page, 'level.dat')
  await expect(
    page.getByRole('region', { name: 'Content of the file' }).getByRole('row').nth(3),
  ).toBeVisible()
  await looks.at(page, 'pager, hex')
  await page.getByRole('button', { name: 'Close the file' }).click()
  await openEntry(page, 'empty.dat')
  await looks.at(page, 'editor, empty file')
  await page.getByRole('button', { name: 'Close the file' }).click()
  await openEntry(page, 'config.yml')
  await code(page, 'config.yml').click()
  await page.keyboard.type('x')
  await page.reload()
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await looks.at(page, 'editor, text that was not saved is back')
  await service.program.end()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await looks.at(page, 'editor, text with an error')
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await expect(page.getByText('Not saved; your text stays here.')).toBeVisible()
  await looks.at(page, 'editor, not saved')
  looks.expectNothing()
})
