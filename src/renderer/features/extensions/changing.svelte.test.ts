import { describe, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { panel } from '../../core/panel.svelte.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import { askedExtensions, extensionEntries } from './palette.ts'
import { extensions as feature } from './index.ts'
import { PIXEL, button, dialog, open, refused, row, sent, shown, told, way } from './extensions.fixture.ts'

const startingWith = (text: string) => new RegExp(`^\\s*${text.replaceAll('.', '\\.')}`)

describe('finding more', () => {
  const project = { id: 'm:vault', name: 'Vault', catalog: 'modrinth' as const, hasIcon: true }
  const showAdd = async () => {
    await open()
    await page.getByRole('tab', { name: 'Add' }).click()
  }

  it('shows pictures, and what is installed already', async () => {
    told.found = [
      project,
      { id: 'h:eco', name: 'Economy', summary: 'Money.', catalog: 'hangar', downloads: 1200 },
    ]
    await showAdd()
    const results = page.getByRole('list', { name: 'Results' })
    await expect.element(results.getByRole('button', { name: /Vault.*Installed.*Modrinth/ })).toBeVisible()
    await expect
      .element(results.getByRole('button', { name: /Economy.*1.2K ↓.*Money\..*Hangar/ }))
      .toBeVisible()
    await expect.poll(() => document.querySelectorAll(`img[src="${PIXEL}"]`).length).toBeGreaterThan(0)
    way.answer('view extensions.icon', () => shown({ picture: 'data:image/svg+xml;base64,PHN2Zz4=' }))
    told.found = [{ id: 'm:svg', name: 'Other', hasIcon: true }]
    await page.getByRole('searchbox', { name: 'Find in catalogs' }).fill('oth')
    await expect.element(results.getByRole('button', { name: /Other/ }).first()).toBeVisible()
    await expect
      .poll(() => way.called.filter(({ name }) => name === 'view extensions.icon').at(-1)?.input)
      .toMatchObject({ query: { project: 'm:svg' } })
    expect(results.element().querySelectorAll('img')).toHaveLength(0)
  })

  it('shows a description without any HTML of its own, and installs what the plan says after it was seen', async () => {
    told.found = [{ ...project, id: 'm:new', name: 'Newcomer' }]
    told.description =
      '# Money\n\n<img src=x onerror=alert(1)>Pay **all** [here](https://a.example/) ![p](https://a.example/p.png)'
    told.plan = [
      { action: 'add', project: 'm:new', versionId: 'v1', name: 'Newcomer', to: '1.0', size: 2048 },
      {
        action: 'add',
        project: 'm:dep',
        versionId: 'd1',
        name: 'Library',
        to: '3.1',
        neededBy: ['Newcomer'],
      },
      { action: 'keep', name: 'Vault', reason: 'up-to-date' },
    ]
    await showAdd()
    await page
      .getByRole('button', { name: /Newcomer/ })
      .first()
      .click()
    await expect.element(dialog().getByRole('heading', { name: 'Money' })).toBeVisible()
    expect(dialog().element().querySelector('[dir=auto] img')).toBeNull()
    await dialog().getByRole('link', { name: 'here' }).click()
    await expect
      .poll(() => way.called.find(({ name }) => name === 'app.open')?.input)
      .toEqual({ url: 'https://a.example/' })
    await page.getByLabelText('Version').selectOptions('1.0 (experimental)')
    await button('Install…').click()
    await expect
      .element(dialog())
      .toMatchTextContent(/Added\s*Newcomer\s*1\.0\s*2 kB\s*Library\s*3\.1 · needed by Newcomer/)
    await expect.element(dialog()).toMatchTextContent(/Kept as it is\s*Vault\s*up to date/)
    expect(sent('install')).toEqual([])
    const asked = way.called.find(({ name }) => name === 'view extensions.plan')?.input
    expect(asked).toMatchObject({ query: { project: 'm:new', versionId: 'v1' } })
    const waiting = {
      ...{ code: 'extensions.waiting', message: 'Both wait.', sentence: 'extensions.waiting.shared' },
    }
    told.changes = { running: { done: 512, total: 2048, waiting } }
    // It can be undone in one step: Enter does it.
    await expect.element(button('Install')).toHaveFocus()
    await button('Install').click()
    const bodies = [
      {
        body: {
          items: [
            { project: 'm:new', versionId: 'v1' },
            { project: 'm:dep', versionId: 'd1' },
          ],
        },
      },
    ]
    await expect.poll(() => sent('install')).toMatchObject(bodies)
    const bar = page.getByRole('progressbar', { name: 'Installing' })
    await expect.element(bar).toHaveAttribute('aria-valuenow', '25')
    await expect.element(page.getByText(/Both wait for the same download\.$/)).toBeVisible()
    await button('Cancel').click()
    await expect.poll(() => sent('cancel')).toHaveLength(1)
    await expect.element(bar).not.toBeInTheDocument()
  })

  it('what comes alone is installed from its row; where more would come along, the plan is shown first', async () => {
    told.found = [{ ...project, id: 'm:new', name: 'Newcomer' }]
    const alone = { action: 'add' as const, project: 'm:new', versionId: 'v1', name: 'Newcomer', to: '1.0' }
    told.plan = [alone]
    await showAdd()
    await button('Install Newcomer').click()
    await expect
      .poll(() => sent('install'))
      .toMatchObject([{ body: { items: [{ project: 'm:new', versionId: 'v1' }] } }])
    await expect.element(dialog()).not.toBeInTheDocument()
    await expect.element(page.getByRole('list', { name: 'Results' })).toBeVisible()
    told.plan = [alone, { action: 'add', project: 'm:dep', name: 'Library', neededBy: ['Newcomer'] }]
    await button('Install Newcomer').click()
    await expect.element(dialog()).toMatchTextContent(/Library\s*needed by Newcomer/)
    expect(sent('install')).toHaveLength(1)
  })

  it('what cannot be had is said, and nothing of it is installed', async () => {
    told.found = [{ ...project, id: 'm:new', name: 'Newcomer' }]
    told.plan = [
      { action: 'add', project: 'm:new', name: 'Newcomer', to: '1.0' },
      { action: 'cannot', name: 'Paid', reason: 'manual', url: 'https://b.example/', neededBy: ['Newcomer'] },
    ]
    await showAdd()
    await page
      .getByRole('button', { name: /Newcomer/ })
      .first()
      .click()
    await button('Install…').click()
    await expect
      .element(dialog())
      .toMatchTextContent(/Not possible\s*Paid\s*needed by Newcomer · has to be downloaded by hand/)
    await expect.element(button('Install')).not.toBeInTheDocument()
    await button('Open its page').click()
    await expect
      .poll(() => way.called.find(({ name }) => name === 'app.open')?.input)
      .toEqual({ url: 'https://b.example/' })
  })
})

describe('updating all', () => {
  it('shows what changes and what is kept, and a refusal stays where it was asked', async () => {
    told.plan = [
      { action: 'update', project: 'm:luck', versionId: 'v55', name: 'LuckPerms', from: '5.4', to: '5.5' },
      { action: 'keep', name: 'Vault', reason: 'pinned' },
    ]
    way.answer('send extensions.install', () => refused('The disk is full. Delete something and try again.'))
    await open()
    await page.getByRole('button', { name: 'Update 1…' }).click()
    await expect
      .element(dialog())
      .toMatchTextContent(/Updates\s*LuckPerms\s*5\.4 → 5\.5.*Kept as it is\s*Vault\s*pinned/)
    await button('Update').click()
    await expect.element(dialog().getByRole('alert')).toMatchTextContent(/The disk is full/)
    way.answer('send extensions.install', () => ({ ok: true, value: { accepted: true } }))
    const list = { name: 'LuckPerms', from: '5.4', to: '5.5' }
    told.changes = { last: { at: '2026-01-01T00:00:00Z', items: [list], undoable: true } }
    await button('Update').click()
    await expect.element(page.getByText(/LuckPerms 5\.4 → 5\.5 · /)).toBeVisible()
    await button('Undo').click()
    await expect.poll(() => sent('undo')).toHaveLength(1)
    await expect.element(page.getByText(/LuckPerms 5\.4 → 5\.5 · /)).not.toBeInTheDocument()
  })

  it('each update can be left out, had in another version after its notes were read, or pinned; the plan says what comes of it', async () => {
    const luck = { project: 'm:luck', extensionId: 'luck', name: 'LuckPerms', from: '5.4' }
    const shop = { project: 'm:shop', extensionId: 'shop', name: 'ChestShop', from: '3', to: '4' }
    way.answer('view extensions.plan', ({ query }) => {
      const { except = '', versions = '' } = query as { except?: string; versions?: string }
      const to = versions === 'v1' ? { versionId: 'v1', to: '1.0' } : { versionId: 'v2', to: '2.0' }
      const held = { action: 'keep' as const, reason: 'held-back' as const }
      const problems = [{ kind: 'missing-dependency' as const, name: 'Economy' }]
      const first =
        except === 'luck'
          ? { ...luck, ...to, action: 'keep' as const, reason: 'not-chosen' as const }
          : { ...luck, ...to, action: 'update' as const }
      return shown({ changes: [first, { ...shop, ...held, problems }] })
    })
    way.answer('view extensions.details', () =>
      shown({
        ...{ id: 'm:luck', name: 'LuckPerms' },
        versions: [
          { id: 'v2', name: '2.0', changes: 'Needs **Java 21**.' },
          { id: 'v1', name: '1.0', changes: 'Fewer crashes.' },
          { id: 'v0', name: '5.4' },
        ],
      }),
    )
    await open()
    await page.getByRole('button', { name: 'Update 1…' }).click()
    const box = dialog().getByRole('checkbox', { name: 'Update LuckPerms' })
    await expect.element(box).toBeChecked()
    await expect
      .element(dialog())
      .toMatchTextContent(/3 → 4 · not updated, because the new version wouldn’t run · .*Economy/)
    await expect.element(dialog().getByRole('checkbox', { name: 'Update ChestShop' })).toBeDisabled()

    await box.click()
    await expect.element(dialog()).toMatchTextContent(/5\.4 → 2\.0 · not selected/)
    await expect.element(button('Update')).not.toBeInTheDocument()
    await expect.element(box).toHaveFocus()
    await box.click()
    await expect.element(button('Update')).toBeVisible()

    await button('Versions and changes of LuckPerms').click()
    await expect.element(dialog()).toMatchTextContent(/What’s new in 2\.0\s*Needs Java 21\./)
    const version = dialog().getByLabelText('Version to install')
    ;(version.element() as HTMLElement).focus()
    await version.selectOptions('1.0')
    await expect.element(dialog()).toMatchTextContent(/5\.4 → 1\.0/)
    await expect.element(dialog()).toMatchTextContent(/What’s new in 1\.0\s*Fewer crashes\./)
    await expect.element(version).toHaveFocus()
    await button('Keep 5.4 and pin it').click()
    await expect
      .poll(() => sent('change'))
      .toMatchObject([{ params: { extensionId: 'luck' }, body: { pinned: true } }])
    await expect.element(version).not.toBeInTheDocument()
    await button('Update').click()
    await expect
      .poll(() => sent('install'))
      .toMatchObject([{ body: { items: [{ project: 'm:luck', versionId: 'v2' }] } }])
  })

  it.each([
    {
      error: {
        code: 'extensions.canceled',
        message: 'The installation was canceled. Nothing was changed.',
        sentence: 'extensions.canceled',
      },
      english: 'The installation was canceled. Nothing was changed.',
      german: 'Die Installation wurde abgebrochen. Es wurde nichts geändert.',
    },
    {
      error: {
        code: 'software.catalogue-slow',
        message: 'The catalog of Modrinth takes too long to answer right now. Try again in a moment.',
        ...{ sentence: 'software.catalogue-slow', values: { name: 'Modrinth' } },
      },
      english: 'Nothing was changed. The catalog of Modrinth takes too long to answer right now.',
      german:
        'Es wurde nichts geändert. Der Katalog von Modrinth braucht gerade zu lange für eine Antwort. Versuche es gleich noch einmal.',
    },
    {
      error: {
        code: 'files.exists',
        message: 'There is a file of that name.',
        items: [{ name: 'Vault', from: null, to: '1.7' }],
      },
      english: 'Not done: Vault 1.7 added.',
      german: 'Nicht ausgeführt: Vault 1.7',
    },
    {
      error: { code: 'files.disk-full', message: 'The disk is full.', unfinished: true },
      english: 'The last change was only partly made.',
      german: 'Die letzte Änderung wurde nur zum Teil ausgeführt.',
    },
  ])('why nothing was changed is said in the language of the panel: $error.code', async (given) => {
    told.changes = { last: { items: [], error: given.error } }
    await open()
    const strip = page.getByRole('alert')
    await expect.element(strip).toMatchTextContent(startingWith(given.english))
    onTestFinished(() => useLanguage('en'))
    await useLanguage('de')
    await expect.element(strip).toMatchTextContent(startingWith(given.german))
    const isWhole = !('items' in given.error || 'unfinished' in given.error)
    expect(strip.element().textContent.split('Es wurde nichts geändert.')).toHaveLength(isWhole ? 2 : 1)
  })

  it('a crash at the first start since is told with what was changed, and the way back', async () => {
    const all = [
      { name: 'LuckPerms', from: '5.4', to: '5.5' },
      { name: 'Vault', to: '2' },
      { name: 'Gone', from: '1' },
    ]
    told.changes = { last: { items: all, undoable: true, crashedSince: true } }
    await open()
    await expect
      .element(page.getByRole('alert'))
      .toMatchTextContent(
        /crashed at its first start after these were changed.*LuckPerms 5\.4 → 5\.5.*Vault 2 added.*Gone removed/s,
      )
    await button('Undo').click()
    await expect.poll(() => sent('undo')).toHaveLength(1)
  })

  it('what waits for the next start is marked, and a restart is offered', async () => {
    told.status = 'online'
    told.installed[0] = { ...told.installed[0]!, waits: true }
    await open()
    await expect.element(row(/Vault.*At next start/s)).toBeVisible()
    await expect.element(page.getByText('1 change at next start')).toBeVisible()
    await button('Restart').click()
    await expect
      .poll(() => way.called.find(({ name }) => name === 'send servers.power')?.input)
      .toMatchObject({ body: { action: 'restart' } })
  })

  it('the palette leads to it by the name that the software has for it', async () => {
    await panel.servers('c').read()
    const at = { connectionId: 'c', serverId: 's', server: panel.server('c', 's')! }
    expect(extensionEntries(at).map(({ name }) => name)).toEqual(['Plugins: add', 'Plugins: update all'])
    expect(feature.nameAt({ id: 's', name: 'x', software: { id: 'fabric' } })).toBe('Mods')
    expect(feature.nameAt({ id: 's', name: 'x', software: { id: 'vanilla' } })).toBe('Extensions')
    askedExtensions.ask({ connectionId: 'c', serverId: 's' }, 'update')
    await open()
    await expect.element(dialog().getByRole('heading', { name: 'Update all' })).toBeVisible()
  })
})
