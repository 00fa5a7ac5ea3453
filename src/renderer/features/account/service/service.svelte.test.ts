import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import type {
  Connection,
  DriftEntry,
  ProfileFault,
  ServiceProfile,
} from '../../../../contract/bridge/values.ts'
import '../../../app/theme.css'
import { held } from '../../../core/routes/router.svelte.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { useLanguage } from '../../../messages/t.svelte.ts'
import { expectAccessible } from './accessible.fixture.ts'
import Service from './Service.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'play.example', baseUrl: 'https://play.example/api/v1' },
  ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
}
const { baseUrl } = connection
const since = '2026-01-01T00:00:00.000Z'
const place: DriftEntry = {
  ...{ operation: 'servers.list', method: 'GET', path: '/servers', field: 'items.[].id' },
  ...{ expected: 'text', found: 'number', foundAs: '_id', count: 31, since },
}
const written = (profile: object) => `${JSON.stringify({ baseUrl, ...profile }, null, 2)}\n`

let way: ScriptedBridge
let places: DriftEntry[]
let kept: ServiceProfile
let faults: ProfileFault[]
/** What was sent to be saved. */
const saves = () => way.called.filter(({ name }) => name === 'service.save-profile').map(({ input }) => input)

beforeEach(() => {
  places = [place, { ...place, field: 'items', foundAs: 'data', expected: 'list', found: 'list' }]
  faults = []
  kept = {
    ...{ text: written({}), kept: false, proposed: null, headers: [], faults: [] },
  }
  way = new ScriptedBridge({
    'service.drift': () => ({ ok: true, value: { places, more: false } }),
    'service.clear-drift': () => ({ ok: true, value: undefined }),
    'service.profile': () => ({ ok: true, value: kept }),
    'service.check-profile': () => ({
      ok: true,
      value: {
        kind: 'tried',
        checks: [{ operation: 'servers.list', outcome: { kind: 'read', items: 3, leftOut: 1 } }],
      },
    }),
    'service.save-profile': ({ text }) => {
      if (faults.length > 0) return { ok: true, value: { kind: 'faulty', faults } }
      kept = { ...kept, text, kept: true }
      return { ok: true, value: { kind: 'saved' } }
    },
    'service.remove-profile': () => {
      kept = { ...kept, text: written({}), kept: false }
      return { ok: true, value: undefined }
    },
  })
  window.panel = way
})

async function opened() {
  const shown = await render(Service, { connection })
  await userEvent.click(shown.getByText('API profile'))
  const text = shown.getByLabelText('Profile as JSON')
  await expect.element(text).toBeVisible()
  return { ...shown, text, write: (profile: object) => userEvent.fill(text, written(profile)) }
}

describe('the text of a profile', () => {
  it('takes values of headers as passwords, and they are in no text', async () => {
    const { getByRole, getByLabelText, getByText, container, write } = await opened()
    await write({ headers: ['X-Key'] })
    const value = getByLabelText('Value of X-Key')
    await expect.element(value).toHaveAttribute('type', 'password')
    await expect.element(getByText('No value is kept yet, so this header isn’t sent.')).toBeVisible()
    await userEvent.fill(value, 'secret-value')
    await expect.element(getByText('Kept when you save the profile.')).toBeVisible()
    await expectAccessible(container)
    await userEvent.click(getByRole('button', { name: 'Save profile' }))
    await expect.poll(saves).toEqual([
      {
        ...{ connectionId: 'c', text: written({ headers: ['X-Key'] }) },
        values: [{ name: 'x-key', value: 'secret-value' }],
      },
    ])
    // It was handed over, and the page has it no more.
    await expect.element(getByLabelText('Value of X-Key')).toHaveValue('')
    expect(document.body.outerHTML).not.toContain('secret-value')
    await write({})
    await expect.element(getByLabelText('Value of X-Key')).not.toBeInTheDocument()
    await userEvent.click(getByRole('button', { name: 'Save profile' }))
    await expect.poll(() => saves().at(-1)).toMatchObject({ text: written({}), values: [] })
  })

  it.each([
    ['keychain', 'A value is in the keychain.'],
    ['memory', 'the keychain didn’t take it'],
    ['unknown', 'isn’t known whether a value is kept'],
  ] as const)('says where a value is: %s', async (where, words) => {
    const headers = [{ name: 'X-Key', value: where }]
    kept = { ...kept, kept: true, text: written({ headers: ['X-Key'] }), headers }
    const { getByText } = await opened()
    await expect.element(getByText(new RegExp(words))).toBeVisible()
  })

  it('says what is wrong in it until that is changed', async () => {
    const entries = (path: string, id: string) => ({
      operations: { 'servers.list': { path, answer: { id } } },
    })
    kept = { ...kept, text: written(entries('machines', '')) }
    const begin = { key: 'profile.path-begin' } as const
    faults = [
      {
        at: ['operations', 'servers.list', 'path'],
        said: { message: 'Begin the path with exactly one “/”.', text: begin },
      },
      {
        at: ['operations', 'servers.list', 'answer', 'id'],
        said: { message: 'Enter a name, or up to six names with dots between them.' },
      },
    ]
    const { getByRole, getByText, container, text, write } = await opened()
    await write({ ...entries('machines', ''), tokenHeader: 'X-Token' })
    await userEvent.click(getByRole('button', { name: 'Save profile' }))
    await expect.element(text).toHaveFocus()
    await expect.element(text).toHaveAccessibleDescription(/path: Begin the path with exactly one “\/”\./)
    await expect.element(getByText('2 entries need a correction')).toBeVisible()
    await expectAccessible(container)
    await useLanguage('de')
    onTestFinished(() => useLanguage('en'))
    await expect.element(getByRole('alert').getByText(/Beginne den Pfad mit genau/)).toBeVisible()
    await useLanguage('en')
    await write(entries('/machines', ''))
    await expect.element(getByText('1 entry needs a correction')).toBeVisible()
    await expect.element(text).toHaveAttribute('aria-invalid', 'true')
    await write(entries('/machines', 'uid'))
    await expect.element(getByRole('alert')).not.toBeInTheDocument()
    await expect.element(text).not.toHaveAttribute('aria-invalid')
  })

  it('that is no JSON is told as such', async () => {
    faults = [{ at: [], said: { message: 'The profile is not valid JSON.' } }]
    const { getByRole, text } = await opened()
    await userEvent.fill(text, 'no JSON')
    await userEvent.click(getByRole('button', { name: 'Save profile' }))
    await expect.element(getByRole('alert').getByText('The profile is not valid JSON.')).toBeVisible()
  })

  it('adds what was seen to what was typed, and takes nothing of that away', async () => {
    const seen = { items: 'data', answer: { id: '_id', name: 'title' } }
    kept = { ...kept, proposed: written({ operations: { 'servers.list': seen } }) }
    const { getByRole, text, write } = await opened()
    const mine = { 'servers.list': { path: '/machines', answer: { id: 'uid' } } }
    await write({ operations: mine })
    await userEvent.click(getByRole('button', { name: 'Add what was seen' }))
    const both = { items: 'data', path: '/machines', answer: { id: 'uid', name: 'title' } }
    await expect
      .poll(() => JSON.parse((text.element() as HTMLTextAreaElement).value) as unknown)
      .toEqual({ baseUrl, operations: { 'servers.list': both } })
    await expect.element(getByRole('button', { name: 'Add what was seen' })).not.toBeInTheDocument()
  })
})

describe('the editor of a profile', () => {
  it('takes what was seen since beside what was typed meanwhile', async () => {
    const shown = await opened()
    await shown.write({ tokenHeader: 'X-Token' })
    places = [...places, { ...place, operation: 'account.me', method: 'GET', path: '/users/me' }]
    kept = { ...kept, proposed: written({ operations: { 'servers.list': { items: 'data' } } }) }
    way.send('drift', { connectionId: 'other' })
    way.send('drift', { connectionId: 'c' })
    await expect.element(shown.getByText('This service answers differently in 3 places.')).toBeVisible()
    await expect.element(shown.getByRole('button', { name: 'Add what was seen' })).toBeVisible()
    await expect.element(shown.text).toHaveValue(written({ tokenHeader: 'X-Token' }))
    expect(way.called.filter(({ name }) => name === 'service.drift')).toHaveLength(2)
  })

  it('shows what a check found only while the draft is the one that was checked', async () => {
    const { getByRole, getByText, write } = await opened()
    await userEvent.click(getByRole('button', { name: 'Check against the service' }))
    await expect.element(getByText('3 entries read · 1 entry could not be read')).toBeInViewport()
    await write({ tokenHeader: 'X-Token' })
    await expect.element(getByText(/3 entries read/)).not.toBeInTheDocument()
  })

  it('removes a profile only once that was asked, since values of headers do not come back', async () => {
    kept = { ...kept, kept: true, text: written({ tokenHeader: 'X-Token' }) }
    const { getByRole, text } = await opened()
    const removals = () => way.called.filter(({ name }) => name === 'service.remove-profile').length
    await userEvent.click(getByRole('button', { name: 'Remove profile' }))
    await userEvent.click(getByRole('dialog').getByRole('button', { name: 'Cancel' }))
    expect(removals()).toBe(0)
    await userEvent.click(getByRole('button', { name: 'Remove profile' }))
    await userEvent.click(getByRole('dialog').getByRole('button', { name: 'Remove profile' }))
    await expect.poll(removals).toBe(1)
    await expect.element(text).toHaveValue(written({}))
  })

  it('can be asked for again where it could not be read', async () => {
    way.answer('service.profile', () => ({
      ok: false,
      problem: { code: 'internal', message: 'No.', retryable: true },
    }))
    const { getByRole, getByLabelText, getByText } = await render(Service, { connection })
    await userEvent.click(getByText('API profile'))
    await expect.element(getByRole('button', { name: 'Try again' })).toBeVisible()
    way.answer('service.profile', () => ({ ok: true, value: kept }))
    await userEvent.click(getByRole('button', { name: 'Try again' }))
    await expect.element(getByLabelText('Profile as JSON')).toBeVisible()
  })

  it('asks before it is left with something unsaved, and goes where it was to', async () => {
    const { getByRole, text, write } = await opened()
    let gone = 0
    expect(held(() => gone++)).toBe(false)
    await write({ tokenHeader: 'X-Token' })
    expect(held(() => gone++)).toBe(true)
    await userEvent.click(getByRole('button', { name: 'Stay here' }))
    expect(gone).toBe(0)
    await expect.element(text).toHaveValue(written({ tokenHeader: 'X-Token' }))
    expect(held(() => gone++)).toBe(true)
    await userEvent.click(getByRole('dialog').getByRole('button', { name: 'Save and leave' }))
    await expect.poll(() => gone).toBe(1)
    expect(saves()).toHaveLength(1)
    expect(held(() => gone++)).toBe(false)
  })

  it('keeps what was typed while it is folded', async () => {
    const { getByText, text, write } = await opened()
    await write({ tokenHeader: 'X-Token' })
    await userEvent.click(getByText('API profile'))
    await userEvent.click(getByText('API profile'))
    await expect.element(text).toHaveValue(written({ tokenHeader: 'X-Token' }))
  })

  it('imports a file, and says of one that is too large that it is', async () => {
    const { getByLabelText, getByText, text } = await opened()
    const input = getByLabelText('Import from file').last()
    await userEvent.upload(input, new File([written({ tokenHeader: 'X-Token' })], 'p.json'))
    await expect.element(text).toHaveValue(written({ tokenHeader: 'X-Token' }))
    await userEvent.upload(input, new File(['x'.repeat(200_001)], 'p.json'))
    await expect.element(getByText('This file is too large for a profile.')).toBeVisible()
    await expect.element(text).toHaveValue(written({ tokenHeader: 'X-Token' }))
  })
})
