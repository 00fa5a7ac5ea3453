import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { notices } from '../../ui/feedback/notices.svelte.ts'
import DeleteServer from './DeleteServer.svelte'

async function deleted(
  linksOut: readonly string[],
  container: string | null = null,
): Promise<{ before: string; after: string }> {
  window.panel = new ScriptedBridge({ 'servers.remove': () => ({ ok: true, value: undefined }) })
  await render(DeleteServer, {
    ...{ connectionId: 'local', serverId: 's', name: 'Meadow', linksOut, container },
    deleted: () => undefined,
    close: () => undefined,
  })
  const dialog = page.getByRole('dialog')
  const before = dialog.element().textContent
  await dialog.getByRole('textbox').fill('Meadow')
  await dialog.getByRole('button', { name: container ? 'Stop managing' : 'Delete permanently' }).click()
  await expect.poll(() => notices()[0]?.text()).toMatch(/^Meadow (?:was deleted|is no longer)/)
  return { before, after: notices()[0]!.text() }
}

it('says that the world and the files go, where they do', async () => {
  const { before, after } = await deleted([])
  expect(before).toContain('The server is deleted permanently, with its world, its files and the backups')
  expect(after).toBe('Meadow was deleted.')
})

it('says before and after that what lies behind the link of its folder stays', async () => {
  const { before, after } = await deleted([''])
  expect(before).toContain('Its folder is a link to another place: the world and the files stay there.')
  expect(before).not.toContain('are deleted permanently')
  expect(after).toBe('Meadow was deleted. Its world and files stayed where the link of its folder leads.')
})

it('names links in its folder that lead elsewhere, of many the first ones', async () => {
  const { before, after } = await deleted(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  expect(before).toContain('what they lead to stays: a, b, c, d, e and 2 more')
  expect(after).toBe('Meadow was deleted. What these links led to stayed: a, b, c, d, e and 2 more')
})

it('says that a container that others made stays, and what goes', async () => {
  const { before, after } = await deleted([''], 'mc')
  expect(before).toContain('The container mc and its files stay as they are')
  expect(before).not.toContain('world')
  expect(after).toBe('Meadow is no longer managed here. Its container and its files stayed.')
})
