import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { code, editor, openEntry, openFiles, signedIn } from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { write } from './fixtures/trees.ts'
import { openSection, serverLink } from './fixtures/views.ts'

// A configuration file is changed in the tree of its values, and keeps everything else it says.

test.use({ sharesPanel: true, contextOptions: { reducedMotion: 'reduce' } })

const GLOBAL = `# This is the global configuration file for Paper.
# As you can see, there's a lot to configure.

_version: 29
block-updates:
  disable-chorus-plant-updates: false
  disable-noteblock-updates: false
proxies:
  bungee-cord:
    online-mode: true
  proxy-protocol: false
  velocity:
    # Only behind a proxy
    enabled: false # careful
    online-mode: true
    secret: ''
messages:
  kick:
    connection-throttle: Connection throttled! Please wait before reconnecting.
  no-permission: "&cYou do not have permission to do this."
packet-limiter:
  all-packets: { action: KICK, interval: 7.0, max-packet-rate: 500.0 }
spam-limiter:
  incoming-packet-threshold: 300
  commands: [tell, msg]
`

test('paper-global.yml is changed by keyboard, keeps its comments, and shows what changed elsewhere', async ({
  openPanel,
  startService,
}) => {
  const looks = new Looks()
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  const file = path.join(folder, 'config', 'paper-global.yml')
  await write(folder, {
    'config/paper-global.yml': GLOBAL,
    'spigot.yml': 'settings:\n  debug: false\n',
    'plugins/Chat/config.toml': '# Ports\n[server]\nport = 25565\nname = "A server"\nsince = 2026-11-21\n',
    'ops.json': '[\n  { "name": "Ann", "level": 4 }\n]\n',
  })
  await serverLink(page, 'Far away').click()
  await openSection(page, 'General')
  await expect(page.getByRole('link', { name: 'spigot.yml' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'bukkit.yml' })).toHaveCount(0)
  await page.getByRole('link', { name: 'paper-global.yml' }).click()
  const grid = page.getByRole('treegrid', { name: 'Values of paper-global.yml' })
  await expect(grid).toBeFocused()
  await looks.at(page, 'tree, alone')

  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('velocity')
  await page.keyboard.press('ArrowDown')
  await expect(grid).toBeFocused()
  const enabled = grid.getByRole('row', { name: /^enabled/ })
  while ((await enabled.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type("it's")
  await looks.at(page, 'tree, a value is written')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+s')
  const standing = editor(page, 'paper-global.yml').getByRole('status').first()
  await expect(standing).toContainText('Saved')
  const mine = GLOBAL.replace('enabled: false', 'enabled: true').replace("secret: ''", "secret: 'it''s'")
  expect(await readFile(file, 'utf8')).toBe(mine)

  // Somebody else saves meanwhile: both versions are shown.
  const theirs = mine.replace('_version: 29', '_version: 30')
  await writeFile(file, theirs)
  await page.getByRole('searchbox', { name: 'Search keys and values' }).fill('')
  await grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.keyboard.type('31')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Both', exact: true }).click()
  await expect(code(page, 'paper-global.yml')).toContainText('_version: 31')
  await looks.at(page, 'tree, beside the text')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('This file has been changed elsewhere.')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe(theirs)
  await page.getByRole('button', { name: 'Use theirs' }).click()
  await expect(grid.getByRole('row', { name: /^_version/ })).toContainText('30')

  await page.getByRole('button', { name: 'Close the file' }).click()
  await openFiles(page, 'Far away')
  await openEntry(page, 'ops.json')
  await expect(page.getByRole('treegrid', { name: 'Values of ops.json' })).toContainText('Ann')
  await page.getByRole('button', { name: 'Add an entry' }).click()
  await looks.at(page, 'tree, an entry is added')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await code(page, 'ops.json').click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('}')
  await expect(page.getByText(/can’t be read at line 4/)).toBeVisible()
  await looks.at(page, 'tree, a text that cannot be read')
  looks.expectNothing()
})
