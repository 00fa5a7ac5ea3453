import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { notices } from '../../ui/feedback/notices.svelte.ts'
import { button, dialog, names, open, row, sent, told, way } from './extensions.fixture.ts'

describe('what is installed', () => {
  it('is listed with version, newer version and problems in words, and found while one types', async () => {
    await open()
    await expect.poll(names).toEqual(['ChestShop', 'LuckPerms', 'OldOne', 'Vault'])
    await expect.element(row(/ChestShop/)).toMatchTextContent(/Economy is missing · Needs Java 21/)
    await expect.element(row(/LuckPerms/)).toMatchTextContent(/5\.4\s*Update available\s*5\.5/)
    await expect.element(row(/OldOne/)).toMatchTextContent(/Disabled/)
    await button('State').click()
    await expect.poll(names).toEqual(['ChestShop', 'LuckPerms', 'Vault', 'OldOne'])
    await page.getByRole('searchbox', { name: 'Search installed' }).fill('vAu')
    await expect.poll(names).toEqual(['Vault'])
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect.element(dialog()).toMatchTextContent(/Vault.*1\.7\.3.*plugins\/Vault\.jar/s)
  })

  it('is drawn only as far as it can be seen, however much there is', async () => {
    told.installed = Array.from({ length: 500 }, (_, at) => ({ id: `e${at}`, name: `Plugin ${at}` }))
    await open()
    await expect.poll(() => names().length).toBeGreaterThan(10)
    expect(names().length).toBeLessThan(60)
    await expect.element(page.getByRole('tab', { name: 'Installed (500)' })).toBeVisible()
  })

  it('is read again once a server is installed, as a modpack brings it then', async () => {
    const all = told.installed
    told.installed = []
    await open()
    await expect.element(page.getByRole('tab', { name: 'Installed (0)' })).toBeVisible()
    const tell = (status: 'installing' | 'offline') =>
      way.send('view', {
        ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 's' }, query: {} },
        now: { value: { status }, asOf: new Date().toISOString(), stale: false, problem: null },
      })
    tell('installing')
    told.installed = all
    await expect.element(page.getByRole('tab', { name: 'Installed (0)' })).toBeVisible()
    tell('offline')
    await expect.poll(names).toEqual(['ChestShop', 'LuckPerms', 'OldOne', 'Vault'])
  })

  it('what is missing is looked for by a button', async () => {
    await open()
    await row(/ChestShop/).dblClick()
    await button('Find Economy').click()
    await expect.element(page.getByRole('searchbox', { name: 'Find in catalogs' })).toHaveValue('Economy')
    await expect
      .poll(() => way.called.filter(({ name }) => name === 'view extensions.search').at(-1)?.input)
      .toMatchObject({ query: { query: 'Economy', software: 'paper', version: '1.21.4' } })
  })

  it('is disabled, pinned and removed, which asks first and says what stays', async () => {
    await open()
    await row(/Vault/).click()
    await button('Disable').click()
    await expect.poll(() => sent('change')).toMatchObject([{ body: { enabled: false } }])
    await button('Pin this version').click()
    await expect.poll(() => sent('change')).toHaveLength(2)
    expect(sent('change').at(-1)).toMatchObject({ params: { extensionId: 'vault' }, body: { pinned: true } })
    await button('Remove…').click()
    await expect.element(dialog()).toMatchTextContent(/Its configuration and its data are kept/)
    expect(sent('remove')).toEqual([])
    await expect.element(button('Cancel')).toHaveFocus()
    await button('Remove').click()
    await expect.poll(() => sent('remove')).toMatchObject([{ params: { extensionId: 'vault' } }])
    await expect.poll(() => notices().map(({ text }) => text())).toContain('Vault removed')
  })

  it('cannot be changed by somebody who may only read, and says why', async () => {
    told.role = ['server.read', 'extensions.read']
    await open()
    await row(/Vault/).click()
    await expect.element(button('Disable')).toHaveAttribute('aria-disabled', 'true')
    await expect
      .element(page.getByRole('button', { name: /^Update 1/ }))
      .toHaveAttribute('aria-disabled', 'true')
    await button('Disable').hover()
    await expect
      .element(page.getByRole('tooltip'))
      .toHaveTextContent('Your account lacks the permission extensions.write.')
  })

  it('says what to do where there is nothing, and that a service has none', async () => {
    told.installed = []
    await open()
    await expect.element(page.getByText('No plugins yet')).toBeVisible()
    await button('Find in catalogs').click()
    await expect.element(page.getByText('The catalogs have nothing for Paper 1.21.4')).toBeVisible()
  })

  it('says what is wrong in a sentence, and what can be done about it', async () => {
    told.installed = [
      {
        ...{ id: 'odd', name: 'Oddity', version: '1', enabled: true },
        problems: [
          { kind: 'wrong-software', name: 'fabric' },
          { kind: 'wrong-software', name: 'folia' },
          { kind: 'missing-dependency', name: 'Economy', wants: '>=2' },
          { kind: 'wrong-side' },
          { kind: 'unreadable' },
        ],
      },
    ]
    await open()
    await row(/Oddity/).dblClick()
    await expect
      .element(dialog())
      .toMatchTextContent(
        /Made for Fabric\. Install the edition.*Doesn’t say that it works on Folia\..*Needs Economy >=2, which is missing or has another version\. Find it in the catalogs.*Works only in the game, not on a server\. Remove it here\..*couldn’t be read\. Download the file again/s,
      )
  })

  it('says which Java is needed and which one is there, and has the server run with it by one click', async () => {
    const problem = { kind: 'wrong-java' as const, wants: '21', has: '17' }
    told.installed = [{ id: 'warp', name: 'Warp', version: '2', enabled: true, problems: [problem] }]
    await open()
    await expect
      .element(row(/Warp/))
      .toMatchTextContent(/Needs Java 21 or newer, and this server runs with Java 17/)
    await row(/Warp/).dblClick()
    await expect
      .element(dialog())
      .toMatchTextContent(/Choose Java 21 or newer for this server, or install an older version instead\./)
    await button('Use Java 21').click()
    await expect.element(row(/Warp/)).not.toMatchTextContent(/Needs Java/)
    await expect.element(button('Use Java 21')).not.toBeInTheDocument()
    expect(way.called.find(({ name }) => name === 'send servers.change-config')?.input).toMatchObject({
      body: { java: '21' },
    })
    expect(
      notices()
        .map(({ text }) => text())
        .join(),
    ).toBe('Java 21 will be used from the next start')
  })

  it('offers no Java with which the server does not run, and says what helps instead', async () => {
    const problem = { kind: 'wrong-java' as const, wants: '17', has: '11', most: '16' }
    told.installed = [{ id: 'warp', name: 'Warp', version: '2', enabled: true, problems: [problem] }]
    await open()
    await row(/Warp/).dblClick()
    await expect
      .element(dialog())
      .toMatchTextContent(/software runs with Java 16 at most\. Install an older version instead/)
    await expect.element(button('Use Java 17')).not.toBeInTheDocument()
  })

  it('gives nobody a way to another Java who may not change settings', async () => {
    const problem = { kind: 'wrong-java' as const, wants: '21', has: '17' }
    told.installed = [{ id: 'warp', name: 'Warp', version: '2', enabled: true, problems: [problem] }]
    told.role = ['extensions.read', 'config.read']
    await open()
    await row(/Warp/).dblClick()
    await expect.element(button('Use Java 21')).toHaveAttribute('aria-disabled', 'true')
  })

  it('of a jar of one’s own are those that it loads, as far as it is known', async () => {
    told.installed = []
    told.software = { id: 'custom', name: 'Custom jar', version: '1.21.4', loadsAs: 'fabric' }
    await open()
    await expect.element(page.getByText('No mods yet')).toBeVisible()
    await button('Find in catalogs').click()
    await expect
      .poll(() => way.called.find(({ name }) => name === 'view extensions.search')?.input)
      .toMatchObject({ query: { software: 'fabric', version: '1.21.4' } })
  })

  it('of a jar that nobody recognizes say that it is not known what it loads', async () => {
    told.installed = []
    told.software = { id: 'custom', name: 'Custom jar', version: 'unknown' }
    await open()
    await expect
      .element(page.getByText(/It isn’t known whether the jar of this server runs plugins/))
      .toBeVisible()
    await expect.element(button('Find in catalogs')).not.toBeInTheDocument()
  })
})
