import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import {
  choose,
  closeTransfers,
  code,
  dialog,
  doSelected,
  editor,
  fileRow,
  openEntry,
  select,
  transferred,
  uploadFiles,
} from './fixtures/files-view.ts'
import { type HostAtWork, type HostKind, hostKinds } from './fixtures/host-kinds.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import type { Place } from './fixtures/place.ts'
import {
  connectionLine,
  openConsole,
  row,
  sendCommand,
  serverLink,
  signOut,
  status,
  tab,
} from './fixtures/views.ts'

const MIB = 1024 * 1024
/** The panel asks again by itself after ever longer waits. */
const BY_ITSELF = { timeout: 30_000 }

interface Room {
  page: Page
  place: Place
  host: HostAtWork
  kind: HostKind
}
type Journey = (room: Room) => Promise<void>

/** What people do with a server, wherever it runs; in this order, as one day of work. */
const journeys: Readonly<Record<string, Journey>> = {
  async 'what there is'({ page, kind }) {
    await expect(status(page)).toHaveText('Online')
    await expect(page.getByRole('tab')).toHaveText([...kind.tabs])
    await tab(page, 'Settings').click()
    const sections = page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link')
    await expect(sections).toHaveText([...kind.settings])
  },

  async console({ page, host, kind }) {
    await openConsole(page)
    await expect(row(page, /Done \(/)).toBeVisible()
    await host.print('Ann joined the game')
    await expect(row(page, 'Ann joined the game')).toBeVisible()
    await sendCommand(page, 'say hi')
    await expect(row(page, kind.hears)).toBeVisible()
  },

  async files({ page, host, kind }) {
    await tab(page, 'Files').click()
    await choose(page, 'New', 'New folder')
    await dialog(page).getByLabel('Name').fill('maps')
    await dialog(page).getByRole('button', { name: 'Create' }).click()
    await expect(fileRow(page, 'maps')).toBeVisible()
    if (kind.hasRename) {
      await select(page, 'maps')
      await doSelected(page, 'Rename')
      await page.getByRole('textbox', { name: 'Name' }).fill('plans')
      await page.keyboard.press('Enter')
      await expect(fileRow(page, 'plans')).toBeVisible()
      await expect(fileRow(page, 'maps')).toHaveCount(0)
    }
    expect(readdirSync(host.files)).toContain(kind.hasRename ? 'plans' : 'maps')
    await select(page, 'old.txt')
    await doSelected(page, 'Delete')
    if (!kind.hasTrash) await dialog(page).getByRole('button', { name: 'Delete permanently' }).click()
    await expect(fileRow(page, 'old.txt')).toHaveCount(0)
    expect(existsSync(path.join(host.files, 'old.txt'))).toBe(false)
  },

  async 'an upload whose line is cut'({ page, place, host }) {
    const bytes = randomBytes(6 * MIB)
    writeFileSync(place.at('big.bin'), bytes)
    const cut = host.uploads.cutAfter(2 * MIB)
    await uploadFiles(page, place.at('big.bin'))
    await cut
    await host.uploads.mend()
    await transferred(page, 'big.bin')
    await closeTransfers(page)
    expect(readFileSync(path.join(host.files, 'big.bin')).equals(bytes)).toBe(true)
    await expect(fileRow(page, 'big.bin')).toBeVisible()
  },

  async 'a text, also one that was changed meanwhile'({ page, host }) {
    const file = path.join(host.files, 'config.yml')
    const text = code(page, 'config.yml')
    const append = async (more: string) => {
      await text.click()
      await page.keyboard.press('ControlOrMeta+End')
      await page.keyboard.type(more)
    }
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await openEntry(page, 'config.yml')
    await expect(text).toContainText('size: 1')
    await append('mine: 1')
    await save.click()
    await expect.poll(() => readFileSync(file, 'utf8')).toBe('size: 1\nmine: 1')
    await expect(editor(page, 'config.yml').getByRole('status').first()).toContainText('Saved')
    await append('\nmine: 2')
    writeFileSync(file, 'theirs: 1\n')
    await save.click()
    await expect(page.getByText('This file has been changed elsewhere.')).toBeVisible()
    expect(readFileSync(file, 'utf8')).toBe('theirs: 1\n')
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await expect(text).toContainText('theirs: 1')
    await page.getByRole('button', { name: 'Close the file' }).click()
  },

  async players({ page }) {
    await tab(page, 'Players').click()
    await page.getByRole('tab', { name: 'Operators (1)' }).click()
    await page.getByRole('row', { name: /Ann/ }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Remove as operator' }).click()
    await expect(page.getByText('Ann is no longer an operator')).toBeVisible()
  },

  async 'the host away, and back'({ page, host }) {
    await tab(page, 'Files').click()
    await expect(fileRow(page, 'big.bin')).toBeVisible()
    for (const line of host.lines) await line.cut()
    await expect(connectionLine(page)).toContainText(/Offline.*as of/, BY_ITSELF)
    await expect(fileRow(page, 'big.bin')).toBeVisible()
    await tab(page, 'Console').click()
    await expect(row(page, 'Ann joined the game')).toBeVisible()
    await host.print('nobody looked')
    for (const line of host.lines) await line.mend()
    await expect(connectionLine(page)).not.toContainText('Offline', BY_ITSELF)
    await expect(row(page, 'nobody looked')).toBeVisible(BY_ITSELF)
  },

  async plugins({ page, host }) {
    await host.stop()
    await expect(status(page)).toHaveText('Offline', BY_ITSELF)
    await tab(page, 'Plugins').click()
    const lamp = page.getByRole('row', { name: /Lamp/ })
    await expect(lamp).toContainText('Oil is missing')
    await lamp.click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(lamp).toHaveCount(0)
    expect(readdirSync(path.join(host.files, 'plugins'))).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(lamp).toBeVisible()
    expect(readdirSync(path.join(host.files, 'plugins'))).toEqual(['Lamp.jar'])
  },

  async 'signed out, nothing of it stays'({ page }) {
    await signOut(page)
    await expect(serverLink(page, 'Survival')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Sign in to a service' }).first()).toBeVisible()
  },
}

for (const [name, kind] of Object.entries(hostKinds))
  test(`a server at ${name} is used like any other`, async ({ openPanel, place }, info) => {
    test.skip(kind.skip !== null, kind.skip ?? '')
    const host = await kind.open(place, info.parallelIndex)
    const { page } = await openPanel()
    await page.getByRole('button', { name: 'Sign in to a service' }).click()
    await host.signIn(page)
    await serverLink(page, 'Survival').click()
    // Those of a hosting service are looked at where they are the subject.
    const looks = kind.isForeign ? new Looks() : null
    const isOffered = (what: string) => what !== 'plugins' || kind.tabs.includes('Plugins')
    for (const [what, journey] of Object.entries(journeys).filter(([one]) => isOffered(one)))
      await test.step(what, async () => {
        await journey({ page, place, host, kind })
        await looks?.at(page, `${what}, ${name}`)
      })
    looks?.expectNothing()
  })
