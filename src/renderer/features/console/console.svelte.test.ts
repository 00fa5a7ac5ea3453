import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { Server } from '../../../contract/bridge/values.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import { showTheme } from '../../core/theme.ts'
import Console from './Console.svelte'
import { foundColors } from './terminal/terminal-theme.ts'
import { FixtureMain } from './main.fixture.ts'

/** The room that the tab has in the panel. */
const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

let main: FixtureMain
let server = { connectionId: 'c', serverId: '' }

beforeEach(() => {
  server = { connectionId: 'c', serverId: crypto.randomUUID() }
  main = new FixtureMain(server)
  window.panel = main
  document.head.append(room)
})
afterEach(() => room.remove())

const running = (changed: object = {}) =>
  ({ ...server, kind: 'online', reach: 'ready', server: null, ...changed }) as const
const command = () => page.getByLabelText('Command')
/** What a screen reader is given. */
const logged = () => page.getByRole('log').query()?.textContent ?? ''
const faults: string[] = []
const onFault = (event: SecurityPolicyViolationEvent) => faults.push(event.violatedDirective)

describe('the console tab', () => {
  it('takes no command while the server is off, says why, and keeps what was typed', async () => {
    const { rerender } = await render(Console, { server: running() })
    await command().fill('say hel')
    await rerender({ server: running({ kind: 'offline' }) })
    await expect.element(command()).toHaveAttribute('aria-disabled', 'true')
    await expect.element(command()).toHaveAccessibleDescription('Start the server to run commands.')
    await expect.element(page.getByText('Server is offline')).toBeVisible()
    expect(page.getByText('Live').query()).toBeNull()
    command()
      .element()
      .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    await rerender({ server: running() })
    await expect.element(command()).toHaveValue('say hel')
    await userEvent.type(command(), 'lo{Enter}')
    await expect.poll(() => main.sent).toEqual(['say hello'])
  })

  it('offers no command line and no log to whom it is not allowed', async () => {
    const only = { role: ['console.read'] } as unknown as Server
    await render(Console, { server: running({ server: only }) })
    await expect.element(page.getByText('Live')).toBeVisible()
    expect(command().query()).toBeNull()
    expect(page.getByRole('button', { name: 'Save log' }).query()).toBeNull()
  })

  it('saves the log as a download', async () => {
    await render(Console, { server: running() })
    await page.getByRole('button', { name: 'Save log' }).click()
    await expect.poll(() => main.downloads).toEqual([{ ...server, paths: ['logs/latest.log'] }])
  })

  it('shows only warnings, errors or chat, of what was and of what comes', async () => {
    const texts = [
      '[12:00:00 INFO]: <Ann> hello',
      '[12:00:01] [Server thread/WARN]: slow',
      '[12:00:02] [Server thread/ERROR]: broken',
      '\tat a.b.C.d(C.java:1)',
      '[12:00:03 INFO]: Done',
    ]
    main.store(main.make(5, '1', (seq) => texts[seq - 1]!))
    await render(Console, { server: running() })
    await expect.poll(logged).toContain('Done')
    const filter = page.getByLabelText('Lines shown')
    const lines = () => [...document.querySelectorAll('ol > li')].map((one) => one.textContent.trim())
    await filter.selectOptions('Warnings and errors')
    await expect.poll(lines).toEqual([texts[1], texts[2], 'at a.b.C.d(C.java:1)'])
    await filter.selectOptions('Errors')
    await expect.poll(lines).toEqual([texts[2], 'at a.b.C.d(C.java:1)'])
    await filter.selectOptions('Chat')
    await expect.poll(lines).toEqual([texts[0]])
    await expect.element(page.getByText('1 of 5 lines')).toBeVisible()
    main.stream(main.make(2, '1', (seq) => `[12:00:0${seq} INFO]: <Ann> bye ${seq}`))
    await expect.poll(lines).toHaveLength(3)
    await filter.selectOptions('All lines')
    await expect.poll(logged).toContain('bye 7')
    expect(lines()).toEqual([])
  })

  it('completes with Tab what is typed, shows it in grey, and lets Tab leave otherwise', async () => {
    main.before = ['say good night']
    main.store(main.make(1, '1', () => '[12:00:00 INFO]: /afk: Marks you as away'))
    await render(Console, { server: running() })
    await expect.poll(logged).toContain('/afk')
    await userEvent.type(command(), 'say g')
    await expect.element(page.getByText('ood night', { exact: true })).toBeVisible()
    await expect.element(command()).toHaveAccessibleDescription('Tab completes: say good night')
    await userEvent.keyboard('{Tab}')
    await expect.element(command()).toHaveValue('say good night')
    await expect.element(command()).toHaveFocus()
    await command().fill('whitelist a')
    await userEvent.keyboard('{Tab}')
    await expect.element(command()).toHaveValue('whitelist add')
    await command().fill('af')
    await userEvent.keyboard('{Tab}')
    await expect.element(command()).toHaveValue('afk')
    await userEvent.keyboard('{Tab}')
    await expect.element(page.getByRole('button', { name: 'Send' })).toHaveFocus()
    // Whoever wants to leave with a suggestion in sight can.
    await command().fill('whi')
    await userEvent.keyboard('{Escape}{Tab}')
    await expect.element(command()).toHaveValue('whi')
    await expect.element(page.getByRole('button', { name: 'Send' })).toHaveFocus()
  })

  it('sends what was typed, not what was suggested', async () => {
    await render(Console, { server: running() })
    await userEvent.type(command(), 'lis{Enter}')
    await expect.poll(() => main.sent).toEqual(['lis'])
  })

  it('sends with Enter and calls earlier commands back with the arrows', async () => {
    main.before = ['list']
    await render(Console, { server: running() })
    await userEvent.type(command(), 'say hello{Enter}')
    await expect.poll(() => main.sent).toEqual(['say hello'])
    await expect.element(command()).toHaveValue('')
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(command()).toHaveValue('say hello')
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(command()).toHaveValue('list')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    await expect.element(command()).toHaveValue('')
  })

  it('takes what is typed right after Enter for a new command, and Enter twice for one', async () => {
    await render(Console, { server: running() })
    await command().fill('say hello')
    const field = command().element() as HTMLTextAreaElement
    field.focus()
    // All of it before the browser has its next turn, as it comes from a keyboard that was faster than the page.
    const enter = { key: 'Enter', bubbles: true, cancelable: true }
    field.dispatchEvent(new KeyboardEvent('keydown', enter))
    field.dispatchEvent(new KeyboardEvent('keydown', enter))
    // A key does both.
    field.dispatchEvent(new InputEvent('beforeinput', { bubbles: true }))
    document.execCommand('insertText', false, 'list')
    expect(field.value).toBe('list')
    await expect.poll(() => main.sent).toEqual(['say hello'])
    expect(field.value).toBe('list')
    field.dispatchEvent(new KeyboardEvent('keydown', enter))
    await expect.element(command()).toHaveValue('')
    await expect.poll(() => main.sent).toEqual(['say hello', 'list'])
  })

  it('says what is wrong with several lines beside the line, and offers to send them', async () => {
    await render(Console, { server: running() })
    await command().fill('say one\nsay two')
    await expect.poll(() => page.getByRole('alert').query()?.textContent).toContain('2 lines')
    await page.getByRole('button', { name: 'Send 2 commands' }).click()
    await expect.poll(() => main.sent).toEqual(['say one', 'say two'])
  })

  it('says that lines are missing, and names them where they are told', async () => {
    main.store(main.make(2))
    await render(Console, { server: running() })
    await expect.poll(logged).toContain('line 2')
    const gap = (from: string | null, to: string | null) => main.tell({ kind: 'gap', from, to })
    gap(null, null)
    gap(null, 'no place')
    gap('1-3', '2-5')
    await expect.poll(logged).toMatch(/(— some lines are missing —){3}/)
    expect(logged()).not.toMatch(/up to|\d–\d/)
    gap('2-6', '2-9')
    await expect.poll(logged).toContain('— lines 6–9 are missing —')
    gap(null, 'other-7')
    await expect.poll(logged).toContain('— lines up to 7 are missing —')
  })

  it('says that its history could not be read and why, instead of that there is no output, and asks again', async () => {
    const problem = { code: 'forbidden', message: 'No.', retryable: false } as const
    main.history = { read: false, problem }
    await render(Console, { server: running() })
    const heading = page.getByRole('heading', { name: 'The console’s history couldn’t be read' })
    await expect.element(heading).toBeVisible()
    await expect.element(page.getByText('Your account is not allowed to do this.')).toBeVisible()
    expect(page.getByText('No output yet').query()).toBe(null)
    main.history = { read: true, problem: null }
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('No output yet')).toBeVisible()
    expect(heading.query()).toBe(null)
    // It fails and recovers by itself too.
    main.emit('console', { ...server, watch: main.watch, pieces: [], history: { read: true, problem } })
    await expect.element(heading).toBeVisible()
    main.emit('console', { ...server, watch: main.watch, pieces: [], history: { read: true, problem: null } })
    await expect.element(page.getByText('No output yet')).toBeVisible()
  })

  it.each([true, false])(
    'says that lines could not be read instead of that there are none; history read: %s',
    async (read) => {
      main.history = { read, problem: null, leftOut: 2 }
      await render(Console, { server: running() })
      await expect.element(page.getByText('The service sent 2 lines that couldn’t be read.')).toBeVisible()
      expect(page.getByText('No output yet').query()).toBe(null)
    },
  )

  it('does not say that there is no output before the history was read', async () => {
    main.state = 'offline'
    main.history = { read: false, problem: null }
    await render(Console, { server: running() })
    await expect.element(page.getByText('Not connected')).toBeVisible()
    expect(page.getByText('No output yet').query()).toBe(null)
  })

  it('says where there are no live updates, and how often it asks instead', async () => {
    main.state = 'polling'
    main.asked = { why: 'absent', every: 5 }
    await render(Console, { server: running() })
    const words = 'Live updates aren’t available from this service. Checked every 5 s.'
    await expect.element(page.getByText(words)).toBeVisible()
    main.emit('live', {
      connectionId: 'c',
      now: { state: 'polling', asked: { why: 'forbidden', every: 15 } },
    })
    await expect.element(page.getByText(/isn’t allowed to receive live updates.* every 15 s\./)).toBeVisible()
  })

  it('gives a screen reader the lines as a log', async () => {
    main.store(main.make(3))
    await render(Console, { server: running() })
    await expect.poll(logged).toMatch(/line 1\s*line 2\s*line 3/)
  })

  it('says in the language of the moment where lines are gone, in words also to a screen reader', async () => {
    main.store(main.make(3), { kind: 'gap', from: '1-4', to: '1-6' }, main.make(2, '2'))
    await render(Console, { server: running() })
    const drawn = () => document.querySelector('.xterm-rows')?.textContent ?? ''
    await expect.poll(drawn).toMatch(/lines 4–6 are missing/)
    await expect.poll(logged).toMatch(/lines 4–6 are missing/)
    await useLanguage('de')
    onTestFinished(() => useLanguage('en'))
    await expect.poll(drawn).toMatch(/Zeilen 4–6 fehlen/)
    await expect.poll(logged).toMatch(/Zeilen 4–6 fehlen/)
    expect(document.querySelector('.xterm-helper-textarea')).toHaveAccessibleName('Konsolenausgabe')
  })

  it('says that it holds, how many lines came, and follows at a click', async () => {
    main.store(main.make(400))
    await render(Console, { server: running() })
    await expect.poll(logged).toMatch(/line 400/)
    document.querySelector<HTMLElement>('.xterm-helper-textarea')!.focus()
    await userEvent.keyboard('{PageUp}')
    await expect.element(page.getByRole('button', { name: 'Follow' })).toBeVisible()
    await expect.element(page.getByText('Paused')).toBeVisible()
    main.stream(main.make(7))
    // Nothing lies over the lines that somebody has scrolled to.
    const button = page.getByRole('button', { name: 'Follow' }).element().getBoundingClientRect()
    const lines = document.querySelector('.xterm')?.getBoundingClientRect()
    expect(button.bottom).toBeLessThanOrEqual(lines?.top ?? 0)
    await page.getByRole('button', { name: '7 new lines · Follow' }).click()
    await expect.poll(logged).toMatch(/line 407/)
    expect(page.getByRole('button', { name: 'Follow' }).query()).toBeNull()
    // The button is gone; who pressed it goes on reading.
    expect(document.activeElement).toBe(document.querySelector('.xterm-helper-textarea'))
  })

  it('says how the stream stands', async () => {
    main.store(main.make(1))
    main.state = 'offline'
    await render(Console, { server: running() })
    await expect.element(page.getByText(/^Not connected/)).toBeVisible()
    main.emit('console', { ...server, watch: main.watch, pieces: [], state: 'live' })
    await expect.element(page.getByText('Live')).toBeVisible()
  })

  it('says of a damaged line that it is, and follows the language of the person', async () => {
    onTestFinished(() => useLanguage('en'))
    const piece = main.make(2)
    if (piece.kind === 'lines') Object.assign(piece.batch, { texts: ['', 'b'], sources: { 0: 'unreadable' } })
    main.store(piece)
    await render(Console, { server: running() })
    await expect.poll(logged).toContain('This line can’t be shown')
    await useLanguage('de')
    await expect.poll(logged).toContain('Diese Zeile kann nicht angezeigt werden')
  })

  it('opens the search with Ctrl+F and says how often it found', async () => {
    main.store(main.make(30))
    await render(Console, { server: running() })
    await expect.poll(logged).toMatch(/line 30/)
    ;(page.getByLabelText('Command').element() as HTMLElement).focus()
    await userEvent.keyboard('{Control>}f{/Control}')
    await userEvent.type(page.getByLabelText('Search the console'), 'line 2')
    await expect.element(page.getByText(/of 11$/)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    expect(page.getByLabelText('Search the console').query()).toBeNull()
    await expect.element(page.getByLabelText('Command')).toHaveFocus()
  })

  it('marks what it found in the colors of the theme that is chosen meanwhile', async () => {
    onTestFinished(() => showTheme('system'))
    showTheme('light')
    main.store(main.make(30))
    await render(Console, { server: running() })
    await expect.poll(logged).toMatch(/line 30/)
    ;(page.getByLabelText('Command').element() as HTMLElement).focus()
    await userEvent.keyboard('{Control>}f{/Control}')
    await userEvent.type(page.getByLabelText('Search the console'), 'line 2')
    await expect.element(page.getByText(/of 11$/)).toBeVisible()
    const marks = (hex: string) => {
      const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))
      return [...document.querySelectorAll<HTMLElement>('.xterm-rows span')].filter(
        ({ style }) => style.backgroundColor === `rgb(${red}, ${green}, ${blue})`,
      ).length
    }
    await expect.poll(() => marks(foundColors.light.match)).toBeGreaterThan(0)
    showTheme('dark')
    await expect.poll(() => marks(foundColors.dark.match)).toBeGreaterThan(0)
    expect(marks(foundColors.light.match)).toBe(0)
    await expect.element(page.getByText(/of 11$/)).toBeVisible()
  })

  it('colors selected, found and freely colored text without style attributes', async () => {
    // The policy of the real page, as far as styles go.
    const policy = document.createElement('meta')
    policy.httpEquiv = 'Content-Security-Policy'
    policy.content = "style-src-attr 'none'"
    document.head.append(policy)
    document.addEventListener('securitypolicyviolation', onFault)
    main.store(main.make(5, '1', (seq) => `\u00a7x\u00a7f\u00a70\u00a70\u00a70\u00a70\u00a70line ${seq}`))
    await render(Console, { server: running() })
    await expect.poll(logged).toMatch(/line 5/)
    await userEvent.keyboard('{Control>}f{/Control}')
    await userEvent.type(page.getByLabelText('Search the console'), 'line')
    await expect.element(page.getByText(/of 5$/)).toBeVisible()
    const styled = () => document.querySelectorAll('.xterm-rows span[style*="color"]').length
    await expect.poll(styled).toBeGreaterThan(0)
    document.removeEventListener('securitypolicyviolation', onFault)
    expect(faults).toEqual([])
  })
})
