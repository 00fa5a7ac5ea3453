import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import { Problem } from '../../core/bridge.ts'
import { dateTime } from '../../messages/format.ts'
import { t, useLanguage } from '../../messages/t.svelte.ts'
import Notices from './Notices.svelte'
import { announced, dismiss, notices, notify, notifyProblem, shows } from './notices.svelte.ts'

beforeEach(() => {
  for (const notice of notices()) dismiss(notice.id)
})
afterEach(() => useLanguage('en'))

const texts = () => notices().map((notice) => notice.text())
const strip = () => page.getByRole('region', { name: /Notices|Meldungen/ })

/** A place comes in sight; the function answered takes it out of sight. */
function show(place: Parameters<typeof shows>[0]): () => void {
  return shows(place)(document.body) as () => void
}

describe('a notice', () => {
  it('follows the language while it stands, with its numbers, dates, names and buttons', async () => {
    await render(Notices)
    const at = '2026-03-04T12:00:00Z'
    notify({
      tone: 'warning',
      text: () => t('connection.not-revoked', { connection: 'a.example', time: dateTime(at) }),
      more: () => t('not-found.text'),
      action: { label: () => t('transfers.notice-show'), run: () => undefined },
    })
    const problem = new Problem({ code: 'offline', message: 'No.', retryable: true })
    notifyProblem(problem, () => t('start.local'))
    // One at a time: the newest, and how many wait behind it.
    await expect.element(strip()).toMatchTextContent(/This computer: The service cannot be reached/)
    await expect.element(strip()).toMatchTextContent(/1 more notice/)
    expect(strip().element().textContent).not.toMatch(/token may/)
    await useLanguage('de')
    await expect.element(strip()).toMatchTextContent(/Dieser Computer: Der Dienst ist nicht erreichbar/)
    await strip().getByRole('button', { name: 'Ausblenden' }).click()
    await expect.element(strip()).toMatchTextContent(/04\.03\.2026/)
    await expect.element(strip().getByRole('button', { name: 'Anzeigen' })).toBeVisible()
    expect(strip().element().textContent).not.toMatch(/reached|Noch 1|exist/)
  })

  it('of which nothing has to be done goes by itself, a failure does not', () => {
    vi.useFakeTimers()
    notify({ tone: 'warning', text: () => 'failed' })
    notify({ tone: 'warning', brief: true, text: () => 'you will sign in again' })
    vi.runAllTimers()
    vi.useRealTimers()
    expect(texts()).toEqual(['failed'])
  })

  it('goes when the place it speaks of comes in sight, and stays away afterwards', () => {
    notify({ tone: 'warning', text: () => 'of the transfers', about: 'transfers' })
    notify({ tone: 'warning', text: () => 'of one trash', about: 'trash of c/s' })
    notify({ tone: 'warning', text: () => 'of no place' })
    const hide = show('transfers')
    expect(texts()).toEqual(['of no place', 'of one trash'])
    hide()
    expect(texts()).toEqual(['of no place', 'of one trash'])
  })

  it('is read out instead of shown where its place is in sight, for as long as that is shown anywhere', async () => {
    const [hide, hideOther] = [show('transfers'), show('transfers')]
    notify({
      tone: 'warning',
      text: () => t('transfers.notice-asking', { name: 'a' }),
      more: () => 'more',
      about: 'transfers',
    })
    expect([texts(), announced()]).toEqual([[], 'Needs your decision: a · more'])
    await useLanguage('de')
    expect(announced()).toBe('Deine Entscheidung ist gefragt: a · more')
    hide()
    notify({ tone: 'warning', text: () => 'still', about: 'transfers' })
    expect(texts()).toEqual([])
    hideOther()
    notify({ tone: 'warning', text: () => 'shown', about: 'transfers' })
    expect(texts()).toEqual(['shown'])
  })

  it('says nothing any more once what it says is no longer so', () => {
    let holds = true
    notify({ tone: 'warning', text: () => 'waits', holds: () => holds })
    expect(texts()).toEqual(['waits'])
    holds = false
    expect(texts()).toEqual([])
    notify({ tone: 'warning', text: () => 'other' })
    holds = true
    expect(texts()).toEqual(['other'])
  })

  it('is shown once, however often it is said, and four at most, the newest first', () => {
    for (const text of ['a', 'b', 'c', 'd', 'e', 'c']) notify({ tone: 'error', text: () => text })
    expect(texts()).toEqual(['c', 'e', 'd', 'b'])
  })

  it('lies where it covers no control, and makes way for one that takes the focus', async () => {
    await page.viewport(1000, 600)
    const control = (style: string) => {
      const button = document.createElement('button')
      button.style.cssText = `position: fixed; width: 60px; height: 30px; ${style}`
      document.body.append(button)
      return button
    }
    const overlap = (a: Element, b: Element) => {
      const [one, other] = [a.getBoundingClientRect(), b.getBoundingClientRect()]
      return (
        one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top
      )
    }
    const save = control('right: 40px; bottom: 70px')
    const { container } = await render(Notices)
    container.style.cssText = 'position: fixed; left: 0; right: 0; bottom: 0; height: 0'
    notify({ tone: 'done', text: () => 'Saved.' })
    await expect.element(strip()).toMatchTextContent(/Saved/)
    const notice = strip().element()
    await expect.poll(() => overlap(save, notice)).toBe(false)
    save.remove()
    const other = control('left: 0; bottom: 60px; width: 1000px')
    other.focus()
    await expect.poll(() => overlap(other, notice)).toBe(false)
    other.remove()
  })
})
