import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import { EXAROTON } from '../../../contract/rules/hosts.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import SignIn from './SignIn.svelte'

const base = 'https://panel.example.com/api/client'
const asked: unknown[] = []

beforeEach(async () => {
  asked.length = 0
  window.panel = new ScriptedBridge({
    'account.google-offered': () => ({ ok: true, value: false }),
    'connections.recognize': (input) => {
      const { baseUrl } = input
      if (baseUrl.includes('aternos'))
        return {
          ok: false,
          problem: { code: 'bad-address', message: 'Aternos has no way in.', retryable: false },
        }
      if (baseUrl.includes('exaroton')) return { ok: true, value: EXAROTON }
      return { ok: true, value: baseUrl.includes('panel') ? base : null }
    },
    'connections.use-token': (input) => {
      asked.push(input)
      return { ok: false, problem: { code: 'invalid', message: 'No.', retryable: false } }
    },
  })
  await render(SignIn, { connectionId: null })
})

const address = () => page.getByLabelText('Service address')

it('asks for a key where a panel answers, and for a password again at a service', async () => {
  await userEvent.fill(address(), 'panel.example.com')
  await userEvent.tab()
  const key = page.getByLabelText('API key')
  await expect.element(key).toHaveFocus()
  await expect.element(address()).toHaveValue(base)
  await userEvent.fill(key, 'ptla_secret')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.element(page.getByText(/application key/)).toBeVisible()
  await userEvent.fill(key, ' ptlc_secret ')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.poll(() => asked).toEqual([{ baseUrl: base, token: 'ptlc_secret' }])
  await userEvent.fill(address(), 'service.example.com')
  await userEvent.tab()
  await expect.element(page.getByLabelText('Password', { exact: true })).toBeVisible()
})

it('whoever sends before the address is recognized is asked for the key, and no password goes anywhere', async () => {
  await userEvent.fill(page.getByLabelText('Email'), 'ada@example.com')
  await userEvent.fill(page.getByLabelText('Password', { exact: true }), 'a good password')
  await userEvent.fill(address(), 'panel.example.com')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByLabelText('API key')).toBeVisible()
})

it('says of a host that lets nobody in what to do', async () => {
  await userEvent.fill(address(), 'aternos.org')
  await userEvent.tab()
  await expect.element(page.getByText(/Aternos/)).toBeVisible()
})

it('says where the key of exaroton is, what it can do, and what works', async () => {
  await userEvent.fill(address(), 'exaroton.com')
  await userEvent.tab()
  await expect.element(page.getByText(/exaroton\.com\/account → API.*spend your credits/)).toBeVisible()
  await expect.element(page.getByText(/console, files, players, status and power/)).toBeVisible()
  await userEvent.fill(page.getByLabelText('API key'), 'token')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.poll(() => asked).toEqual([{ baseUrl: EXAROTON, token: 'token' }])
})
