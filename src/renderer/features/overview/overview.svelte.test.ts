import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import { askedPlayer, askPlayer } from '../../core/asked-player.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import RailServer from '../../app/RailServer.svelte'
import { useLanguage } from '../../messages/t.svelte.ts'
import {
  ago,
  answers,
  away,
  connection,
  done,
  facts,
  graph,
  listed,
  open,
  prepare,
  said,
  server,
  tell,
  UNAVAILABLE,
  view,
} from './overview.fixture.ts'

beforeEach(prepare)

describe('the overview', () => {
  it('says how many extensions have an update that is known, and leads to them; no catalog is asked', async () => {
    const update = { versionId: 'v2', version: '2' }
    answers.extensions = [
      { id: 'a', name: 'A', update },
      { id: 'b', name: 'B', update },
      { id: 'c', name: 'C', update, pinned: true },
      { id: 'd', name: 'D', update, enabled: false },
      { id: 'e', name: 'E' },
    ]
    answers.way.answer('view servers.read', () => view({ ...server, software: { id: 'paper' } }))
    await open()
    await expect.element(page.getByRole('link', { name: '2 updates' })).toBeVisible()
    expect(answers.way.called.map(({ name }) => name)).not.toContain('view extensions.updates')
  })

  it('says what an installation does now', async () => {
    answers.now = {
      status: 'installing',
      since: ago(3 * 3_600_000),
      installation: { step: 'java', done: 1, total: 2 },
    }
    await open()
    await expect.poll(facts).toContain('Downloading Java')
    tell({ ...answers.now, installation: { step: 'setup' } })
    await expect.poll(facts).toContain('Setting it up')
  })

  it('says why the last installation failed while the server is down, and no more once something begins', async () => {
    answers.now = { status: 'offline', failure: { work: 'install', error: { message: 'Nobody answers.' } } }
    await open()
    const card = page.getByRole('region', { name: 'The installation failed' })
    await expect.element(card).toMatchTextContent(/Nobody answers/)
    tell({ ...answers.now, status: 'installing' })
    await expect.element(card).not.toBeInTheDocument()
  })

  it('shows what a server uses now while it is online, and nothing of it once it is stopped', async () => {
    await open()
    await expect.element(graph('CPU')).toHaveAccessibleName('CPU: now 1.5%, peak 1.5%')
    expect(facts()).toMatch(/Memory\s*130 MB/)
    tell({ status: 'stopping' })
    await expect.element(graph('CPU')).toHaveAccessibleName(/no current value, peak 1\.5%/)
    tell({ status: 'offline', since: ago(0) })
    await expect.element(graph('Memory')).toHaveAccessibleName(/no current value, peak 130 MB/)
    expect(facts()).toMatch(/CPU\s*–\s*Memory\s*–/)
    expect(facts()).not.toMatch(/3 of 20/)
  })

  it('says how old it is what it shows of a server whose service is away, and counts nothing on', async () => {
    answers.asOf = ago(5 * 60_000)
    await open()
    await expect.poll(facts).toMatch(/Uptime\s*3 hr/)
    expect(facts()).not.toMatch(/as of/)
    panel.take(away)
    await expect.poll(facts).toMatch(/3 of 20\s*as of 5 minutes ago/)
    expect(facts()).toMatch(/Uptime\s*–\s*as of 5 minutes ago/)
    expect(facts()).toMatch(/CPU\s*–\s*Memory\s*–/)
    panel.take(connection)
    await expect.poll(facts).toMatch(/Uptime\s*3 hr/)
    await expect.element(graph('CPU')).toHaveAccessibleName(/now 1\.5%/)
  })
})

describe('the overview below its graphs', () => {
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const parts = () =>
    [...document.querySelectorAll('section[aria-label]')].map((one) => one.getAttribute('aria-label'))

  it('shows the lines of the service’s own in the language that is chosen meanwhile', async () => {
    onTestFinished(() => useLanguage('en'))
    const [piece] = said(1)
    if (piece?.kind === 'lines') piece.batch.sources = { 0: 'unreadable' }
    const history = { read: true, problem: null }
    answers.way.answer('console.watch', () => ({
      ok: true,
      value: { watch: 1, state: 'live', history, pieces: piece ? [piece] : [] },
    }))
    await open()
    await expect.element(page.getByText(/^This line can’t be shown/)).toBeVisible()
    await useLanguage('de')
    await expect.element(page.getByText(/^Diese Zeile kann nicht angezeigt werden/)).toBeVisible()
  })

  it('shows who is on and for how long, the last lines, and what was done', async () => {
    await open()
    await expect.element(part('Online').getByRole('button', { name: /^Steve/ })).toBeVisible()
    expect(part('Online').element().textContent).not.toContain('Alex')
    await expect.element(part('Online').getByRole('button', { name: /^Steve/ })).toMatchTextContent(/12 min/)
    await expect.element(part('Console')).toMatchTextContent(/line 4\s*line 5\s*line 6.*line 9/)
    await expect
      .element(part('Activity'))
      .toMatchTextContent(/Ben kicked Eve.*The server crashed.*Exit code 7/)
    await part('Activity').getByRole('button', { name: /Eve/ }).click()
    expect(askedPlayer()).toMatchObject({ name: 'Eve' })
    askPlayer(null)
  })

  describe('says that there is nothing only where that is known', () => {
    const none = { read: true, problem: null }
    const list =
      (items: object[], beside: object = {}) =>
      () =>
        view({ items, leftOut: [], more: false as const, ...beside })
    const history = (state: object) => () => ({
      ok: true as const,
      value: { watch: 1, state: 'live' as const, history: { ...none, ...state }, pieces: [] },
    })
    const left = [{ index: 0, path: 'items.0' }]
    it.each([
      ['Online', 'view players.list', list([{ name: 'Alex', online: false }]), /Nobody/],
      ['Online', 'view players.list', list([]), /Nobody/],
      ['Online', 'view players.list', list([{ name: 'Alex' }]), /doesn’t say whether anybody is online/],
      ['Online', 'view players.list', list([], { leftOut: left }), /doesn’t say whether anybody is online/],
      ['Online', 'view players.list', list([], { more: 'perhaps' }), /doesn’t say whether anybody is online/],
      ['Activity', 'view activity.list', list([]), /No activity yet/],
      ['Activity', 'view activity.list', list([], { leftOut: left }), /can’t be shown/],
      ['Activity', 'view activity.list', list([], { more: 'perhaps' }), /can’t be shown/],
      ['Console', 'console.watch', history({}), /No lines yet/],
      ['Console', 'console.watch', history({ leftOut: 2 }), /can’t be shown/],
      ['Console', 'console.watch', history({ read: false }), /Older lines have not been read/],
      [
        'Console',
        'console.watch',
        history({ read: false, problem: UNAVAILABLE }),
        /Older lines have not been read/,
      ],
    ] as const)('%s: %#', async (name, asked, answer, words) => {
      // Nothing else counts its players.
      answers.now = { status: 'online' }
      const uncounted = { id: 's', name: 'Meadow', status: 'online' as const }
      answers.way.answer('view servers.read', () => view(uncounted))
      answers.way.answer('view servers.list', () => view({ items: [uncounted], leftOut: [], more: false }))
      answers.way.answer(asked, answer as never)
      await open()
      await expect.element(part(name)).toMatchTextContent(words)
      if (!/^.?(Nobody|No )/.test(String(words).slice(1)))
        expect(part(name).element().textContent).not.toMatch(/Nobody|No activity yet|No lines yet/)
    })
  })

  it('wraps a sentence of the activity instead of cutting its end, where languages put the verb', async () => {
    const target = 'world/datapacks/a-long-name-of-a-folder/data'
    const entry = { id: '1', at: ago(0), action: 'files.folder', what: 'file', target } as const
    answers.way.answer('view activity.list', () => listed([{ ...entry, actor: { name: 'Ben' } }]))
    await open()
    const sentence = () => part('Activity').getByRole('listitem').element().firstElementChild!
    await expect.element(part('Activity')).toMatchTextContent(/a-long-name/)
    expect(sentence().scrollHeight).toBe(sentence().clientHeight)
    expect(sentence().scrollWidth).toBe(sentence().clientWidth)
  })

  it('sends a command, and shows what is said next', async () => {
    await open()
    await part('Console').getByLabelText('Command').fill('say hi')
    await userEvent.keyboard('{Enter}')
    await expect
      .poll(() => answers.way.called.find(({ name }) => name === 'console.command')?.input)
      .toMatchObject({ serverId: 's', command: 'say hi' })
    const [piece] = said(1)
    if (piece?.kind === 'lines') piece.batch = { ...piece.batch, firstSeq: 10, texts: ['[Server] hi'] }
    answers.way.send('console', { connectionId: 'c', serverId: 's', watch: 1, pieces: [piece!] })
    await expect.element(part('Console')).toMatchTextContent(/line 9.*\[Server\] hi/)
  })

  it('shows each part only to who may see it', async () => {
    answers.way.answer('view servers.read', () => view({ ...server, role: ['server.read', 'console.read'] }))
    await open()
    await expect.element(part('Console')).toBeVisible()
    await expect.element(part('Console')).toMatchTextContent(/line 9/)
    expect(parts()).toEqual(['Console'])
    expect(facts()).not.toMatch(/CPU|Disk/)
    expect(part('Console').getByLabelText('Command').query()).toBeNull()
  })

  it('moves nothing when its parts come, fail or change', async () => {
    let shift = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as unknown as { value: number }).value
    })
    observer.observe({ type: 'layout-shift', buffered: false })
    const problem = { ...UNAVAILABLE, code: 'service-failed' as const }
    const fails = { value: null, asOf: null, stale: true, problem }
    answers.way.answer('view activity.list', () => ({ ok: true, value: fails }))
    await open()
    await expect.element(part('Activity')).toMatchTextContent(/Try again/)
    await expect.element(part('Console')).toMatchTextContent(/line 9/)
    const tops = () =>
      ['Online', 'Console', 'Activity'].map((name) => part(name).element().getBoundingClientRect().top)
    const before = tops()
    tell({ status: 'offline', since: ago(0) })
    await expect.element(part('Online')).toMatchTextContent(/Server is offline/)
    answers.way.answer('view activity.list', () => listed(done))
    await part('Activity').getByRole('button', { name: 'Try again' }).click()
    await expect.element(part('Activity')).toMatchTextContent(/Ben kicked/)
    expect(tops()).toEqual(before)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    observer.disconnect()
    expect(shift).toBe(0)
  })
})

describe('a server in the rail', () => {
  const shown = { connectionId: 'c', server, inGroup: false }

  it('shows its players only while they are of now', async () => {
    const rail = await render(RailServer, { ...shown, oldAsOf: null, position: 1, count: 1 })
    await expect.element(page.getByRole('link')).toMatchTextContent(/3\/20/)
    await rail.rerender({ oldAsOf: ago(5 * 60_000) })
    await expect.element(page.getByRole('link')).not.toMatchTextContent(/3/)
    await expect.element(page.getByRole('link')).toMatchTextContent(/Online/)
  })
})
