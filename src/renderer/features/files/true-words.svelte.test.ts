import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useLanguage } from '../../messages/t.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import { file, list, server } from './files-main.fixture.ts'
import { choose, field, main, show } from './files-tab.fixture.ts'

// What the tab says is so in every case that leads to it, and in the language of the moment.

beforeEach(() => main.folders.set('', [file('a.txt')]))
afterEach(() => useLanguage('en'))

const leftOut = [{ index: 0, path: 'items.0.name' }]
const view = <T>(value: T) => ({
  ok: true as const,
  value: { value, asOf: '2026-11-20T10:00:00Z', stale: false, problem: null },
})

describe('the tab Files', () => {
  it('calls a folder empty only where it is, not where nothing in it could be shown', async () => {
    main.answer('view files.list', () => view(list([], leftOut)))
    await show()
    await expect.element(page.getByRole('heading', { name: 'Nothing here can be shown' })).toBeVisible()
    expect(page.getByText('This folder is empty').query()).toBeNull()
  })

  it('calls the trash empty only where it is', async () => {
    main.answer('view files.trash', () => view(list([], leftOut)))
    location.hash = '#/c/c/s/s/files?trash=1'
    await show()
    await expect.element(page.getByRole('heading', { name: 'Nothing here can be shown' })).toBeVisible()
    expect(page.getByRole('heading', { name: 'The trash is empty' }).query()).toBeNull()
    await expect.element(page.getByRole('button', { name: 'Empty trash' })).toBeEnabled()
  })

  it('sends nobody further up from the topmost folder', async () => {
    main.answer('view files.search', () => view(list([])))
    await show()
    await field().fill('zz')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Try a shorter term.', { exact: true })).toBeVisible()
  })

  it('says why an entry failed in the language of the moment', async () => {
    const error = {
      code: 'panel.x',
      message: 'This transfer has ended or no longer exists.',
      text: { key: 'send.over' as const },
    }
    main.answer('files.remove', ({ paths }) => ({
      ok: true,
      value: { results: [{ path: paths[0] ?? '', outcome: 'failed', error }], trash: [] },
    }))
    await show()
    await page.getByRole('row', { name: /^a\.txt/ }).click()
    await userEvent.keyboard('{Delete}')
    const dialog = page.getByRole('dialog')
    await expect.element(dialog).toMatchTextContent(/This transfer has ended/)
    await useLanguage('de')
    await expect.element(dialog).not.toMatchTextContent(/This transfer has ended/)
    await expect.element(dialog).toMatchTextContent(/Übertragung/)
  })

  it('lets the notice of a deletion go where the trash is in sight', async () => {
    await show()
    await page.getByRole('row', { name: /^a\.txt/ }).click()
    await userEvent.keyboard('{Delete}')
    await expect.poll(() => notices().map((one) => one.text())).toEqual(['“a.txt” was moved to the trash'])
    await choose('More for this folder', 'Trash')
    await expect.element(page.getByRole('region', { name: 'Trash' })).toBeVisible()
    expect(notices()).toEqual([])
  })

  it('shows no job as running that nobody heard the end of', async () => {
    const job = { id: 'j', kind: 'archive', state: 'running', path: 'all.zip' } as const
    let jobs: (typeof job)[] = [job]
    main.answer('view files.jobs', () => view(list(jobs)))
    await show()
    await expect.element(page.getByRole('progressbar', { name: 'Creating all.zip' })).toBeVisible()
    jobs = []
    main.reach(false)
    main.reach(true)
    await expect.poll(() => page.getByRole('progressbar').query()).toBeNull()
    main.send('job', { ...server, job: { ...job, state: 'lost', error: null } })
    expect(notices().map((one) => one.text())).toEqual(['The outcome is not known: all.zip'])
  })

  it('names what an archive does not contain, or what did not come out of it', async () => {
    await show()
    await expect.element(page.getByRole('row', { name: /^a\.txt/ })).toBeVisible()
    const job = { id: 'j', kind: 'extract', state: 'done', path: 'all.zip', error: null } as const
    const omissions = [
      { name: 'latest', reason: 'link' as const },
      { name: 'plugins/con.yml', reason: 'name' as const },
      { name: 'current', reason: 'link' as const },
      { name: 'odd', reason: { kind: 'unknown' as const, raw: 'haunted' } },
    ]
    main.send('job', { ...server, job: { ...job, leftOut: 6, omissions } })
    const notice = () =>
      notices().map((one) => [one.tone, one.text(), one.more?.().replaceAll(/[\u2068\u2069]/g, '')])
    expect(notice()).toEqual([
      [
        ...['warning', 'all.zip was extracted'],
        '6 items were left out: links (latest, current); names that can’t be used here (plugins/con.yml); entries of an unknown kind (odd); 2 more.',
      ],
    ])
    await useLanguage('de')
    expect(notice()[0]?.[2]).toMatch(
      /^6 Elemente wurden ausgelassen: Verknüpfungen \(latest, current\); Namen, die/,
    )
    await useLanguage('en')
    notices().forEach(({ id }) => dismiss(id))
    main.send('job', { ...server, job: { ...job, kind: 'archive', leftOut: 1 } })
    expect(notice()).toEqual([['warning', 'all.zip was created', '1 item was left out.']])
    notices().forEach(({ id }) => dismiss(id))
    main.send('job', { ...server, job: { ...job, leftOut: 0, omissions: [] } })
    expect(notice()).toEqual([['done', 'all.zip was extracted', undefined]])
  })

  it('says how names were read that are not Unicode, and extracts again in another encoding', async () => {
    main.answer('files.extract', () => ({ ok: true, value: null }))
    await show()
    await expect.element(page.getByRole('row', { name: /^a\.txt/ })).toBeVisible()
    const names = { encoding: 'gbk' as const, guessed: true }
    const job = { id: 'j', kind: 'extract', state: 'done', path: 'all.zip', error: null, names } as const
    main.send('job', { ...server, job })
    const [notice] = notices()
    expect(notice?.more?.()).toMatch(/They were read as Chinese, simplified \(GBK\), which is a guess\./)
    notice?.action?.run()
    const encoding = page.getByRole('combobox', { name: 'Encoding of names' })
    await expect.element(encoding).toHaveValue('gbk')
    await encoding.selectOptions('Korean (EUC-KR)')
    await page.getByRole('dialog').getByRole('button', { name: 'Extract' }).click()
    const asked = () => main.called.filter(({ name }) => name === 'files.extract').map(({ input }) => input)
    await expect.poll(asked).toMatchObject([{ path: 'all.zip', to: 'all', names: 'euc-kr' }])
    notices().forEach(({ id }) => dismiss(id))
    main.send('job', { ...server, job: { ...job, names: { encoding: 'euc-kr', guessed: false } } })
    expect(notices().map((one) => [one.more?.(), one.action])).toEqual([
      ['Some names in this archive are not Unicode. They were read as Korean (EUC-KR).', undefined],
    ])
  })
})
