import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { presets } from '../../../contract/rules/scopes.ts'
import { panel } from '../../core/panel.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import { backupOf, BackupsMain, button, choose, connection, dialog, open, row } from './backups.fixture.ts'

let main: BackupsMain
beforeEach(() => {
  main = new BackupsMain()
  main.backups = [
    backupOf('a', 0, { name: 'Before the castle', locked: true }),
    backupOf('b', 1, {
      cause: 'schedule',
      tried: { at: new Date().toISOString(), result: 'started', seconds: 14 },
    }),
    backupOf('c', 2, { cause: 'before-change', change: 'software' }),
  ]
})
afterEach(() => {
  for (const notice of notices()) dismiss(notice.id)
})

describe('the list of backups', () => {
  it('has the newest first, each with its time, why it was made, its size and whether it starts', async () => {
    main.backups.reverse()
    await open(main)
    await expect.element(row(/^Today/)).toMatchTextContent(/Locked.*Before the castle.*By hand.*30 MB/)
    await expect.element(row(/^Yesterday/)).toMatchTextContent(/By a schedule.*Starts \(14 sec\), checked/)
    await expect.element(row(/Before a software change/)).toBeVisible()
    const first = page.getByRole('row').nth(1)
    await expect.element(first).toMatchTextContent(/^\s*Today/)
    await expect
      .element(page.getByText(/^Keeps the last 3, one a day for 7 days, one a week for 4 weeks\./))
      .toBeVisible()
    await expect.element(page.getByText(/120 MB used, 68\.8 GB free\./)).toBeVisible()
  })

  it('is begun with one click where there are none', async () => {
    main.backups = []
    await open(main)
    await expect.element(page.getByRole('heading', { name: 'No backups yet' })).toBeVisible()
    await button('Back up now').first().click()
    await expect.poll(() => main.sent('send backups.create')).toMatchObject([{ body: {} }])
  })

  it('takes a name for a backup if somebody wants to give one', async () => {
    await open(main)
    await button('More ways to back up').click()
    await page.getByRole('menuitem', { name: 'Back up with a name…' }).click()
    await dialog().getByLabelText('Name (optional)').fill('Before the dragon')
    await dialog().getByRole('button', { name: 'Back up now' }).click()
    await expect
      .poll(() => main.sent('send backups.create'))
      .toMatchObject([{ body: { name: 'Before the dragon' } }])
    await expect.element(dialog()).not.toBeInTheDocument()
  })

  it('shows how far the running one is, reads again until it is done, and cancels it', async () => {
    main.backups = [
      backupOf('r', 0, { state: 'running', progress: { kind: 'backup', done: 42, total: 100 } }),
      ...main.backups,
    ]
    await open(main)
    await expect
      .element(row(/Backing up · 42%/).getByRole('progressbar'))
      .toHaveAttribute('aria-valuenow', '42')
    await row(/Backing up/)
      .getByRole('button', { name: 'Cancel' })
      .click()
    await expect.poll(() => main.sent('send backups.cancel')).toHaveLength(1)
    main.backups = main.backups.slice(1)
    await expect.element(row(/Backing up/)).not.toBeInTheDocument()
  })

  it('says why one failed, and tells all of it on request', async () => {
    const error = { code: 'files.disk-full', message: 'The disk is full.' }
    main.backups = [backupOf('f', 0, { state: 'failed', error, bytes: null })]
    await open(main)
    await expect.element(row(/The disk is full\./)).toBeVisible()
    await choose(/The disk is full/, 'Details')
    await expect.element(dialog().getByRole('note')).toHaveTextContent('The disk is full.')
  })

  it('says where a backup is too, and which place could not take it and why', async () => {
    const error = { code: 'backups.target-full', message: 'There is no room left there.' }
    const targets = [
      { id: 'd', name: 'Second disk' },
      { id: 'h', name: 'Hetzner', error },
    ]
    main.backups = [backupOf('a', 0, { targets }), backupOf('b', 1, { progress: { kind: 'copy' } })]
    await open(main)
    await expect
      .element(row(/^Today/))
      .toMatchTextContent(
        /By hand\s+· also at Second disk.*Not copied to Hetzner: There is no room left there\./,
      )
    await expect.element(row(/^Yesterday/)).toMatchTextContent(/Copying to another place/)
    await choose(/^Today/, 'Details')
    await expect.element(dialog().getByRole('note')).toMatchTextContent(/^Not copied to Hetzner/)
    await expect.element(dialog().getByRole('definition').getByText('Second disk')).toBeVisible()
  })

  it('is shown with its age while the service is away, and nothing is offered that cannot be done', async () => {
    const drawn = await open(main)
    await expect.element(button('Back up now')).toBeVisible()
    panel.take({ ...connection, state: { kind: 'offline', since: new Date().toISOString() } as never })
    await expect.element(page.getByText(/as of/i)).toBeVisible()
    await expect.element(row(/^Today/)).toBeVisible()
    expect(button('Back up now').query()).toBeNull()
    await drawn.unmount()
  })

  it('offers an operator no deleting, no bringing back and no settings', async () => {
    main.server = { ...main.server, role: [...presets.operator] }
    await open(main)
    await row(/^Yesterday/).click({ button: 'right' })
    await expect.element(page.getByRole('menuitem', { name: 'Check…' })).toBeVisible()
    expect(
      page
        .getByRole('menuitem')
        .elements()
        .map((one) => one.textContent?.trim()),
    ).toEqual([...['Open Enter', 'Check…', 'Details', 'Rename…', 'Lock']])
    expect(button('Change…').query()).toBeNull()
  })

  it('where the service knows none says so', async () => {
    main.answer('view backups.list', () => ({
      ok: true,
      value: {
        ...{ value: null, asOf: null, stale: true },
        problem: { code: 'unavailable', message: 'No.', retryable: false },
      },
    }))
    await open(main)
    await expect.element(page.getByText('This service does not offer backups')).toBeVisible()
  })
})

describe('a backup', () => {
  it('that is locked is unlocked before it can be deleted, and deleting asks', async () => {
    await open(main)
    await row(/^Today/).click({ button: 'right' })
    await expect.element(page.getByRole('menuitem', { name: 'Unlock to allow deleting' })).toBeVisible()
    expect(page.getByRole('menuitem', { name: 'Delete…' }).query()).toBeNull()
    await page.getByRole('menuitem', { name: 'Unlock to allow deleting' }).click()
    await expect
      .poll(() => main.sent('send backups.change'))
      .toMatchObject([{ params: { backupId: 'a' }, body: { locked: false } }])
    await choose(/^Yesterday/, 'Delete…')
    expect(main.sent('send backups.remove')).toEqual([])
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => main.sent('send backups.remove')).toMatchObject([{ params: { backupId: 'b' } }])
  })

  it('is renamed', async () => {
    await open(main)
    await choose(/^Today/, 'Rename…')
    await dialog().getByLabelText('Name (optional)').fill('Castle')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => main.sent('send backups.change')).toMatchObject([{ body: { name: 'Castle' } }])
  })

  it('is checked, and started if wanted', async () => {
    await open(main)
    await choose(/^Today/, 'Check…')
    await dialog()
      .getByRole('checkbox', { name: /^Also see whether it starts/ })
      .click()
    await dialog().getByRole('button', { name: 'Check', exact: true }).click()
    await expect
      .poll(() => main.sent('send backups.try'))
      .toMatchObject([{ body: { backup: 'a', start: false } }])
  })

  it('is reached by keys alone', async () => {
    await open(main)
    await expect.element(page.getByRole('grid')).toBeVisible()
    page.getByRole('grid').element().focus()
    await userEvent.keyboard('{Home}{Enter}')
    await expect.poll(() => location.hash).toContain('?backup=a')
  })
})

describe('what is kept', () => {
  it('is a sentence that follows what is typed, and is saved with what is left out', async () => {
    main.settings = { ...main.settings, resticReady: true }
    await open(main)
    await button('Change…').click()
    await dialog().getByLabelText('Days').fill('14')
    await expect.element(dialog().getByText(/one a day for 14 days/)).toBeVisible()
    await dialog().getByLabelText('Leave out').fill('logs\n\nplugins/*/cache')
    await dialog()
      .getByRole('checkbox', { name: /^Store only what changed/ })
      .click()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => main.sent('send backups.change-settings'))
      .toMatchObject([
        {
          body: {
            keep: { last: 3, hourly: 0, daily: 14, weekly: 4, monthly: 0 },
            ...{ exclude: ['logs', 'plugins/*/cache'], engine: 'restic' },
          },
        },
      ])
  })

  it('takes only numbers', async () => {
    await open(main)
    await button('Change…').click()
    await dialog().getByLabelText('Weeks').fill('many')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expect.element(dialog().getByText('Enter a number from 0 to 1,000.')).toBeVisible()
    expect(main.sent('send backups.change-settings')).toEqual([])
    expect(
      dialog()
        .getByRole('checkbox', { name: /^Store only/ })
        .query(),
    ).toBeNull()
  })

  it('says that copies elsewhere are kept by restic, and sends both', async () => {
    main.settings = {
      ...main.settings,
      targets: [
        { id: 'd', name: 'Second disk' },
        { id: 'h', name: 'Hetzner' },
      ],
    }
    await open(main)
    await button('Change…').click()
    expect(
      dialog()
        .getByText(/kept by restic/)
        .query(),
    ).toBeNull()
    await dialog().getByRole('checkbox', { name: 'Hetzner' }).click()
    await expect.element(dialog().getByText(/kept by restic/)).toBeVisible()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => main.sent('send backups.change-settings'))
      .toMatchObject([{ body: { engine: 'restic', targets: ['h'] } }])
  })

  it('leaves the engine alone where no place is chosen, and takes copies from one that was', async () => {
    main.settings = { ...main.settings, engine: 'restic', targets: [{ id: 'd', name: 'Disk', isOn: true }] }
    await open(main)
    await button('Change…').click()
    await dialog().getByRole('checkbox', { name: 'Disk' }).click()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => main.sent('send backups.change-settings'))
      .toMatchObject([{ body: { targets: [] } }])
    expect(JSON.stringify(main.sent('send backups.change-settings'))).not.toContain('engine')
  })

  it('leads to where places are added, where there are none yet', async () => {
    main.settings = { ...main.settings, targets: [] }
    await open(main)
    await button('Change…').click()
    await expect
      .element(dialog().getByRole('link', { name: 'Add a place' }))
      .toHaveAttribute('href', '#/accounts/c/backups')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => main.sent('send backups.change-settings')).toHaveLength(1)
    expect(JSON.stringify(main.sent('send backups.change-settings'))).not.toContain('targets')
  })
})
