import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Player } from '../../../contract/bridge/values.ts'
import { askedRestore } from '../../core/asked.svelte.ts'
import { powerQuestion } from '../../core/servers/power-question.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import { AT, backupOf, BackupsMain, button, choose, dialog, open, row } from './backups.fixture.ts'

const ADA = '11111111-1111-1111-1111-111111111111'
let main: BackupsMain
beforeEach(() => {
  main = new BackupsMain()
  main.backups = [backupOf('a', 0), backupOf('b', 1, { name: 'Castle' })]
  main.players = [
    { name: 'Ada', uuid: ADA, online: false },
    { name: 'Bo', online: false },
  ] as Player[]
})
afterEach(() => {
  for (const notice of notices()) dismiss(notice.id)
})
const restored = () => main.sent('send backups.restore')
const copyOf = () => backupOf('copy', 0, { cause: 'before-change', change: 'restore' })

describe('bringing a backup back', () => {
  it('says what happens to what is there, and when it is done, with a way to start', async () => {
    await open(main)
    await choose(/^Today/, 'Bring back…')
    await expect
      .element(
        dialog().getByText(/^The server goes back to .+AM\. The current state is backed up first\.\s*$/),
      )
      .toBeVisible()
    main.answer('send backups.restore', () => {
      main.backups = [backupOf('a', 0, { progress: { kind: 'restore' } }), ...main.backups.slice(1)]
      return { ok: true, value: { accepted: true } }
    })
    await dialog().getByRole('button', { name: 'Bring back' }).click()
    await expect.poll(restored).toMatchObject([{ body: { backup: 'a', to: 'here' } }])
    main.tell()
    await expect.element(row(/Bringing back/)).toBeVisible()
    expect(notices()).toEqual([])
    main.backups = [copyOf(), backupOf('a', 0), ...main.backups.slice(1)]
    await expect.poll(() => notices()[0]?.text()).toMatch(/^Meadow is back to .+AM\.$/)
    expect(notices()[0]?.action?.label()).toBe('Start')
  })

  it('that failed says why, and nothing that was left open is called done', async () => {
    await open(main)
    const error = { code: 'files.disk-full', message: 'The disk is full.' }
    main.answer('view servers.status', () => ({
      ok: true,
      value: {
        ...{
          value: { status: 'offline', failure: { work: 'change', error } },
          asOf: new Date().toISOString(),
        },
        ...{ stale: false, problem: null },
      },
    }))
    await choose(/^Today/, 'Bring back…')
    await dialog().getByRole('button', { name: 'Bring back' }).click()
    await expect.poll(() => notices()[0]?.more?.()).toBe('The disk is full.')
    dismiss(notices()[0]?.id ?? 0)
    main.answer('view servers.status', () => ({
      ok: true,
      value: { value: { status: 'offline' }, asOf: new Date().toISOString(), stale: false, problem: null },
    }))
    await choose(/^Today/, 'Bring back…')
    await dialog().getByRole('button', { name: 'Bring back' }).click()
    await expect.poll(() => notices()[0]?.text()).toMatch(/^Bringing back has ended on Meadow/)
  })

  it('stops the server first, after asking where people are on', async () => {
    main.server = { ...main.server, status: 'online', players: { online: 6 } }
    await open(main)
    await choose(/^Today/, 'Bring back…')
    await expect.element(dialog().getByText(/Meadow is stopped for this\./)).toBeVisible()
    await dialog().getByRole('button', { name: 'Stop and bring back' }).click()
    await expect.poll(() => powerQuestion()?.players).toBe(6)
    expect(main.sent('send servers.power')).toEqual([])
    powerQuestion()?.answer('now')
    await expect.poll(() => main.sent('send servers.power')).toMatchObject([{ body: { action: 'stop' } }])
    expect(restored()).toEqual([])
    const status = { status: 'offline' as const }
    main.send('view', {
      ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 's' } },
      now: { value: status, asOf: new Date().toISOString(), stale: false, problem: null },
    } as never)
    await expect.poll(restored).toHaveLength(1)
  })

  it('a backup of no single moment offers to stop the server for another', async () => {
    main.server = { ...main.server, status: 'online' }
    main.backups = [backupOf('a', 0, { unpaused: true })]
    await open(main)
    await choose(/^Today/, 'Details')
    await dialog().getByRole('button', { name: 'Stop it and back up again' }).click()
    await expect.poll(() => main.sent('send servers.power')).toMatchObject([{ body: { action: 'stop' } }])
    expect(main.sent('send backups.create')).toEqual([])
    main.send('view', {
      ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 's' } },
      now: { value: { status: 'offline' }, asOf: new Date().toISOString(), stale: false, problem: null },
    } as never)
    await expect.poll(() => main.sent('send backups.create')).toHaveLength(1)
    await expect.element(dialog()).not.toBeInTheDocument()
  })

  it('of one player takes one with an identity', async () => {
    await open(main)
    await choose(/Castle/, 'Bring back…')
    await dialog().getByRole('radio', { name: 'One player' }).click()
    await dialog().getByRole('button', { name: 'Bring back' }).click()
    await expect.element(dialog().getByText('This field is required.')).toBeVisible()
    const options = dialog().getByLabelText('Player', { exact: true })
    await options.selectOptions('Ada')
    await expect.element(dialog().getByText(/advancements of Ada .* backed up first/)).toBeVisible()
    await dialog().getByRole('button', { name: 'Bring back' }).click()
    await expect.poll(restored).toMatchObject([{ body: { backup: 'b', players: [ADA], to: 'here' } }])
  })

  it('as a new server asks for its name, and leads there', async () => {
    main.answer('send backups.restore', () => ({ ok: true, value: { accepted: true, serverId: 'n' } }))
    await open(main)
    await choose(/Castle/, 'Bring back…')
    await dialog().getByRole('radio', { name: 'Everything, as a new server' }).click()
    await expect.element(dialog().getByText(/Meadow stays as it is\./)).toBeVisible()
    await dialog().getByRole('button', { name: 'Create server' }).click()
    await expect.element(dialog().getByText('This field is required.')).toBeVisible()
    await dialog().getByLabelText('Name of the new server').fill('Meadow before')
    await dialog().getByRole('button', { name: 'Create server' }).click()
    await expect
      .poll(restored)
      .toMatchObject([{ body: { backup: 'b', to: 'new-server', name: 'Meadow before', start: true } }])
    await notices()[0]?.action?.run()
    await expect.poll(() => location.hash).toBe('#/c/c/s/n/overview')
  })

  it('is asked for a player from elsewhere, and a backup is chosen', async () => {
    askedRestore.ask({ connectionId: 'c', serverId: 's' }, ADA)
    await open(main)
    await expect.element(dialog().getByText(/advancements of Ada go back to/)).toBeVisible()
    await dialog().getByLabelText('Backup').selectOptions('b')
    await dialog().getByRole('button', { name: 'Bring back' }).click()
    await expect.poll(restored).toMatchObject([{ body: { backup: 'b', players: [ADA] } }])
  })
})

describe('what is in a backup', () => {
  const INSIDE = `${AT}?backup=b`
  beforeEach(() => {
    main.folders = {
      '': [
        { name: 'server.properties', kind: 'file', size: 20 },
        { name: 'world', kind: 'folder' },
        { name: 'b10.txt', kind: 'file', size: 1 },
        { name: 'b2.txt', kind: 'file', size: 1 },
      ],
      world: [{ name: 'region', kind: 'folder' }],
    }
    main.texts['server.properties'] = 'motd=Hello\n'
  })

  it('is shown like a folder, goes down and up, and back to the list', async () => {
    await open(main, INSIDE)
    await expect.element(row(/^world/)).toBeVisible()
    const names = page.getByRole('row').elements().slice(1)
    expect(names.map((one) => one.textContent?.trim().split(/\s/)[0])).toEqual([
      ...['world', 'b2.txt', 'b10.txt', 'server.properties'],
    ])
    await row(/^world/).dblClick()
    await expect.element(row(/^region/)).toBeVisible()
    expect(location.hash).toContain('path=world')
    await page.getByRole('navigation').getByRole('button', { name: 'Castle' }).click()
    await expect.element(row(/^world/)).toBeVisible()
    await page.getByRole('link', { name: 'Back to all backups' }).click()
    await expect.element(page.getByRole('heading', { name: 'Backups' })).toBeVisible()
  })

  it('is looked at as a text, of which only the beginning is read', async () => {
    await open(main, INSIDE)
    await row(/^server\.properties/).dblClick()
    await expect.element(dialog().getByText('motd=Hello')).toBeVisible()
    expect(main.sent('files.read-page')).toMatchObject([
      { path: 'server.properties', backup: 'b', offset: 0, length: 256 * 1024 },
    ])
    await dialog().getByRole('button', { name: 'Download' }).click()
    await expect
      .poll(() => main.sent('transfers.download'))
      .toMatchObject([{ paths: ['server.properties'], backup: 'b' }])
  })

  it('is looked at as a picture, or said to have no preview', async () => {
    main.folders['']?.push(
      { name: 'icon.png', kind: 'file', size: 9 },
      { name: 'level.dat', kind: 'file', size: 9 },
    )
    main.texts['level.dat'] = '\u0000\u0001'
    await open(main, INSIDE)
    await row(/^icon\.png/).dblClick()
    await expect.element(dialog().getByRole('img', { name: 'icon.png' })).toBeInTheDocument()
    await dialog().getByRole('button', { name: 'Close' }).first().click()
    await row(/^level\.dat/).dblClick()
    await expect.element(dialog().getByText('There is no preview for this file.')).toBeVisible()
  })

  it('is brought back in part: what was picked, or the folder that is open', async () => {
    await open(main, INSIDE)
    await row(/^world/).click()
    await row(/^b2\.txt/).click({ modifiers: ['Control'] })
    await row(/^b2\.txt/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Bring back…' }).click()
    await expect.element(dialog().getByText(/^2 items go back to/)).toBeVisible()
    await dialog().getByRole('button', { name: 'Bring back' }).click()
    await expect
      .poll(restored)
      .toMatchObject([{ body: { backup: 'b', paths: ['world', 'b2.txt'], to: 'here' } }])
    await row(/^world/).dblClick()
    await button('Bring back this folder…').click()
    await expect.element(dialog().getByText(/^“world” goes back to/)).toBeVisible()
  })
})
