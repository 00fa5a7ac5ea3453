import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import { sftpAccess } from '../../../contract/rules/sftp.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import SignIn from './SignIn.svelte'

const hostKey = 'ssh-ed25519 SHA256:abc'
const sent: { baseUrl: string; token: string }[] = []
let isAway = false
let answered = Promise.resolve()

beforeEach(async () => {
  sent.length = 0
  isAway = false
  answered = Promise.resolve()
  window.panel = new ScriptedBridge({
    'account.google-offered': () => ({ ok: true, value: false }),
    'connections.recognize': ({ baseUrl }) => ({
      ok: true,
      value: baseUrl.includes('node') ? baseUrl.replace(/^(sftp:..)?/, 'sftp://') : null,
    }),
    'connections.host-key': async () => {
      await answered
      return isAway
        ? { ok: false, problem: { code: 'offline', message: 'Nobody answers.', retryable: true } }
        : { ok: true, value: hostKey }
    },
    'connections.use-token': (input) => {
      sent.push(input)
      if (sftpAccess(input.token)?.secret === 'locked key' && !sftpAccess(input.token)?.passphrase)
        return {
          ok: false,
          problem: { code: 'refused', serviceCode: 'sftp.passphrase', message: 'Locked.', retryable: false },
        }
      return { ok: false, problem: { code: 'invalid', message: 'No.', retryable: false } }
    },
  })
  await render(SignIn, { connectionId: null })
})

const address = () => page.getByLabelText('Service address')
const signIn = () => page.getByRole('button', { name: 'Sign in', exact: true })

it('asks for user and password where SSH answers, and shows the host’s key before they are sent', async () => {
  await userEvent.fill(address(), 'ann.abc123@node.example.com:2022')
  await userEvent.tab()
  const secret = page.getByLabelText('Password or private key')
  await expect.element(secret).toHaveFocus()
  await expect.element(page.getByLabelText('User')).toHaveValue('ann.abc123')
  await expect.element(address()).toHaveValue('sftp://node.example.com:2022')
  await expect.element(page.getByText(hostKey)).toBeVisible()
  await userEvent.fill(secret, ' a pässword ')
  await userEvent.fill(page.getByLabelText('User'), 'ann@home')
  await signIn().click()
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]!.baseUrl).toBe('sftp://ann%40home@node.example.com:2022')
  expect(sftpAccess(sent[0]!.token)).toEqual({ secret: ' a pässword ', hostKey })
})

it('keeps what is typed while the host’s key is asked for', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  answered = promise
  await userEvent.fill(address(), 'sftp://ann@node.example.com')
  await userEvent.tab()
  const secret = page.getByLabelText('Password or private key')
  await userEvent.fill(secret, 'typed at once')
  resolve()
  await expect.element(page.getByText(hostKey)).toBeVisible()
  await expect.element(secret).toHaveValue('typed at once')
})

it('sends nothing to a host whose key is not known', async () => {
  isAway = true
  await userEvent.fill(address(), 'sftp://ann@node.example.com')
  await userEvent.tab()
  await expect.element(page.getByText('Nobody answers.')).toBeVisible()
  await userEvent.fill(page.getByLabelText('Password or private key'), 'secret')
  await signIn().click()
  await expect.element(page.getByText('Nobody answers.')).toBeVisible()
  expect(sent).toEqual([])
  isAway = false
  await signIn().click()
  await expect.element(page.getByText(hostKey)).toBeVisible()
  expect(sent).toEqual([])
  await signIn().click()
  await expect.poll(() => sent.length).toBe(1)
})

it('asks for the passphrase of a private key that has one, and keeps the rest', async () => {
  await userEvent.fill(address(), 'sftp://ann@node.example.com')
  await userEvent.tab()
  await expect.element(page.getByText(hostKey)).toBeVisible()
  await userEvent.fill(page.getByLabelText('Password or private key'), 'locked key')
  await signIn().click()
  const passphrase = page.getByLabelText('Passphrase of the private key')
  await expect.element(passphrase).toHaveFocus()
  await userEvent.fill(passphrase, 'sesame')
  await signIn().click()
  await expect.poll(() => sent.length).toBe(2)
  expect(sent[1]!.baseUrl).toBe('sftp://ann@node.example.com')
  expect(sftpAccess(sent[1]!.token)).toEqual({ secret: 'locked key', hostKey, passphrase: 'sesame' })
})
