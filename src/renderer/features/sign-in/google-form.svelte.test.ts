import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import type { Connection, GoogleOutcome } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import SignIn from './SignIn.svelte'

const baseUrl = 'https://panel.example.com/api/v1'
const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'panel.example.com', baseUrl, user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'memory', expiresAt: null },
}

let way: ScriptedBridge
/** What is answered to each that waits, in turn. */
let outcomes: PromiseWithResolvers<GoogleOutcome>[]
beforeEach(() => {
  outcomes = []
  way = new ScriptedBridge({
    'account.google-offered': () => ({ ok: true, value: true }),
    'account.begin-google': () => ({
      ok: true,
      value: { id: `g${outcomes.length}`, url: `${baseUrl}/auth/google?state=s`, opened: true },
    }),
    'account.reopen-google': () => ({ ok: true, value: false }),
    'account.cancel-google': () => ({ ok: true, value: undefined }),
    async 'account.finish-google'() {
      const outcome = Promise.withResolvers<GoogleOutcome>()
      outcomes.push(outcome)
      return { ok: true, value: await outcome.promise }
    },
  })
  window.panel = way
})
const sent = (name: string) => way.called.filter((one) => one.name === name).map(({ input }) => input)
const come = async (outcome: GoogleOutcome) => {
  await expect.poll(() => outcomes.length).toBeGreaterThan(0)
  outcomes.at(-1)?.resolve(outcome)
}

/** As far as the panel waits for the browser. */
async function waiting() {
  const shown = await render(SignIn, { connectionId: null })
  await userEvent.fill(shown.getByLabelText('Service address'), baseUrl)
  await userEvent.tab()
  await userEvent.click(shown.getByRole('button', { name: 'Sign in with Google' }))
  await expect.element(shown.getByText(/asked to open a page of panel.example.com/)).toBeVisible()
  return shown
}

it('is not offered where the service does not have it, and nothing is asked before an address was entered', async () => {
  way.answer('account.google-offered', () => ({ ok: true, value: false }))
  const { getByLabelText, getByRole } = await render(SignIn, { connectionId: null })
  expect(sent('account.google-offered')).toEqual([])
  await userEvent.fill(getByLabelText('Service address'), baseUrl)
  await userEvent.tab()
  await expect.poll(() => sent('account.google-offered')).toEqual([{ baseUrl }])
  expect(getByRole('button', { name: 'Sign in with Google' }).elements()).toHaveLength(0)
})

it('is no longer offered when another address is typed', async () => {
  const { getByLabelText, getByRole } = await render(SignIn, { connectionId: null })
  const button = getByRole('button', { name: 'Sign in with Google' })
  await userEvent.fill(getByLabelText('Service address'), baseUrl)
  await userEvent.tab()
  await expect.element(button).toBeVisible()
  await userEvent.fill(getByLabelText('Service address'), 'https://other.example.com')
  await expect.poll(() => button.elements()).toHaveLength(0)
})

it('shows the address for who has to open it by hand, opens it again, and ends when it is canceled', async () => {
  const { getByLabelText, getByRole, getByText } = await waiting()
  await expect.element(getByLabelText('Address of the sign-in')).toHaveValue(`${baseUrl}/auth/google?state=s`)
  await userEvent.click(getByRole('button', { name: 'Open again' }))
  await expect.element(getByText(/No browser could be opened/)).toBeVisible()
  await userEvent.click(getByRole('button', { name: 'Cancel' }))
  await expect.poll(() => sent('account.cancel-google')).toEqual([{ id: 'g0' }])
  await expect.element(getByLabelText('Password', { exact: true })).toBeVisible()
})

it('asks for the password of the account, then for its code, and says what was wrong with them', async () => {
  const { getByLabelText, getByRole, getByText } = await waiting()
  await come({ kind: 'asked', for: 'password' })
  await expect.element(getByText(/Enter its password once/)).toBeVisible()
  await userEvent.fill(getByLabelText('Password', { exact: true }), 'my password')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => outcomes).toHaveLength(2)
  await come({ kind: 'asked', for: 'second-factor' })
  way.answer('account.finish-google', () => ({
    ok: false,
    problem: {
      ...{ code: 'invalid', message: 'This code is wrong.', retryable: false, serviceCode: 'auth.wrong' },
      fields: { code: ['This code is wrong.'] },
    },
  }))
  await userEvent.fill(getByLabelText('Code from your app'), '123 456')
  await userEvent.click(getByRole('button', { name: 'Sign in', exact: true }))
  await expect.element(getByText('This code is wrong.')).toBeVisible()
  expect(sent('account.finish-google').at(-1)).toEqual({
    ...{ id: 'g0', language: 'en', password: 'my password', code: '123 456' },
  })
})

it.each([
  ['refused', /did not allow the sign-in/],
  ['provider-down', /cannot reach the identity provider/],
  ['failed', /failed between the service/],
  ['late', /not come back within five minutes/],
  ['canceled', /another one was begun/],
] as const)('says that it was %s, and begins again', async (why, words) => {
  const { getByRole, getByText } = await waiting()
  await come({ kind: 'ended', why })
  await expect.element(getByText(words)).toBeVisible()
  const token = getByRole('button', { name: 'Use an access token' })
  expect(token.elements()).toHaveLength(why === 'late' ? 1 : 0)
  await userEvent.click(getByRole('button', { name: 'Begin again' }))
  await expect.element(getByText(/asked to open a page/)).toBeVisible()
  expect(sent('account.begin-google')).toHaveLength(2)
})

it('says what the service refuses', async () => {
  way.answer('account.finish-google', () => ({
    ok: false,
    problem: {
      ...{ code: 'forbidden', retryable: false, serviceCode: 'account.google-unverified' },
      message: 'The provider has not verified that a@example.com is yours.',
    },
  }))
  const { getByLabelText, getByRole, getByText } = await render(SignIn, { connectionId: null })
  await userEvent.fill(getByLabelText('Service address'), baseUrl)
  await userEvent.tab()
  await userEvent.click(getByRole('button', { name: 'Sign in with Google' }))
  await expect.element(getByText(/has not verified that the email is yours/)).toBeVisible()
  expect(getByRole('button', { name: 'Begin again' }).elements()).toHaveLength(1)
})

it('goes to the connection when it is there', async () => {
  await waiting()
  await come({ kind: 'signed-in', connection })
  await expect.poll(() => window.location.hash + window.location.pathname).toContain('c')
  expect(sent('account.cancel-google')).toEqual([])
})
