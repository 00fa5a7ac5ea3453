import { SECOND_FACTOR_ASKED } from '../../../contract/rules/sign-in.ts'
import { type SftpAccess, sftpToken, withUser } from '../../../contract/rules/sftp.ts'
import { asProblem, call, type ProblemData } from '../../core/bridge.ts'
import { bareCode, code, email, needed, newPassword } from '../../core/checks.ts'
import { currentLanguage, t, type Words } from '../../messages/t.svelte.ts'
import type { SignInDraft, Step } from './sign-in.svelte.ts'

/** `name`: of its value in the draft. */
export const fields = {
  'base-url': { name: 'baseUrl', check: needed, label: () => t('sign-in.base-url') },
  email: { name: 'email', check: email, label: () => t('sign-in.email') },
  name: { name: 'name', check: needed, label: () => t('register.name') },
  password: { name: 'password', check: needed, label: () => t('sign-in.password') },
  'first-password': { name: 'password', check: newPassword, label: () => t('sign-in.password') },
  'new-password': { name: 'newPassword', check: newPassword, label: () => t('reset.new-password') },
  token: { name: 'token', check: needed, label: () => t('sign-in.token') },
  key: { name: 'token', check: clientKey, label: () => t('sign-in.key') },
  user: { name: 'user', check: needed, label: () => t('sign-in.user') },
  secret: { name: 'token', check: needed, label: () => t('sign-in.secret') },
  passphrase: { name: 'passphrase', check: needed, label: () => t('sign-in.passphrase') },
  code: { name: 'code', check: code, label: () => t('confirm.code') },
  'second-factor': { name: 'code', check: needed },
} as const
export type FieldKind = keyof typeof fields

/** Application keys open neither consoles nor files. */
function clientKey(text: string): Words | null {
  return needed(text) ?? (/^(ptla|papp)_/.test(text.trim()) ? () => t('sign-in.key-application') : null)
}

/** The name that the service knows it by. */
export const nameAtService = (kind: FieldKind) => (kind === 'new-password' ? 'password' : fields[kind].name)

export interface StepForm {
  fields: readonly FieldKind[]
  button: Words
  /** Sends what was typed and goes on. */
  send: (draft: SignInDraft) => Promise<void>
  /** What failed, if the step knows better than the problem. */
  what?: (problem: ProblemData) => string | undefined
  /** Another step that may be the right one after this problem. */
  other?: (problem: ProblemData) => { to: Step; name: Words } | null
}

const ifUnsure =
  (to: Step) =>
  ({ unsure }: ProblemData) =>
    unsure ? { to, name: () => t('confirm.have-code') } : null

async function signInBySftp(draft: SignInDraft, access: SftpAccess): Promise<void> {
  const baseUrl = withUser(draft.address.baseUrl, draft.user.trim())
  draft.done(await call('connections.use-token', { baseUrl, token: sftpToken(access) }))
}

export const forms: Record<Exclude<Step, 'google'>, StepForm> = {
  password: {
    fields: ['base-url', 'email', 'password'],
    button: () => t('sign-in.submit'),
    send: async (draft) => {
      await draft.recognize()
      if (draft.step !== 'password' || draft.refusal) return
      try {
        const { password } = draft
        draft.done(await call('connections.sign-in', { ...draft.address, password }))
      } catch (thrown) {
        switch (asProblem(thrown).serviceCode) {
          case 'account.unconfirmed':
            draft.codeSent = true
            return draft.to('confirm')
          case SECOND_FACTOR_ASKED:
            return draft.to('second-factor')
          default:
            throw thrown
        }
      }
    },
    what: ({ code, fields, serviceCode, message }) => {
      // Like the service, don't say which of the two is wrong.
      if (code === 'invalid' && !fields) return t('sign-in.wrong')
      // Services with their own error codes may refuse an unconfirmed account like this.
      if (code === 'forbidden')
        return [serviceCode && message, t('sign-in.refused')].filter(Boolean).join(' ')
      return undefined
    },
    // The account may be unconfirmed, which not every service says.
    other: ({ code }) => (code === 'forbidden' ? { to: 'confirm', name: () => t('confirm.title') } : null),
  },
  'second-factor': {
    fields: ['second-factor'],
    button: () => t('sign-in.submit'),
    send: async (draft) => {
      const { address, password, code } = draft
      draft.done(await call('connections.sign-in', { ...address, password, code: code.trim() }))
    },
  },
  token: {
    fields: ['base-url', 'token'],
    button: () => t('sign-in.submit'),
    send: async (draft) => {
      const { baseUrl } = draft.address
      draft.done(await call('connections.use-token', { baseUrl, token: draft.token.trim() }))
    },
  },
  key: {
    fields: ['base-url', 'key'],
    button: () => t('sign-in.submit'),
    send: async (draft) => {
      const { baseUrl } = draft.address
      draft.done(await call('connections.use-token', { baseUrl, token: draft.token.trim() }))
    },
  },
  sftp: {
    fields: ['base-url', 'user', 'secret'],
    button: () => t('sign-in.submit'),
    send: async (draft) => {
      // Nothing is sent before somebody could see the key.
      const { hostKey: shown } = draft
      await draft.recognize()
      const { hostKey, step, token: secret } = draft
      if (step !== 'sftp' || hostKey === null || hostKey !== shown) return
      try {
        await signInBySftp(draft, { secret, hostKey })
      } catch (thrown) {
        if (asProblem(thrown).serviceCode !== 'sftp.passphrase') throw thrown
        draft.to('passphrase')
        draft.token = secret
      }
    },
  },
  passphrase: {
    fields: ['passphrase'],
    button: () => t('sign-in.submit'),
    send: async (draft) => {
      const { hostKey, token: secret, passphrase } = draft
      if (hostKey !== null) await signInBySftp(draft, { secret, hostKey, passphrase })
    },
  },
  register: {
    fields: ['base-url', 'name', 'email', 'first-password'],
    button: () => t('register.submit'),
    send: async (draft) => {
      const { address, name, password } = draft
      const language = currentLanguage()
      await call('account.register', { ...address, name: name.trim(), password, language })
      draft.codeSent = true
      draft.to('confirm')
    },
    other: ifUnsure('confirm'),
  },
  confirm: {
    fields: ['code'],
    button: () => t('confirm.submit'),
    send: async (draft) => {
      const connection = await call('account.confirm', { ...draft.address, code: bareCode(draft.code) })
      if (connection) draft.done(connection)
      else draft.to('password', () => t('confirm.done'))
    },
  },
  forgot: {
    fields: ['base-url', 'email'],
    button: () => t('forgot.submit'),
    send: async (draft) => {
      await call('account.forgot', draft.address)
      draft.to('reset')
    },
    other: ifUnsure('reset'),
  },
  reset: {
    fields: ['code', 'new-password'],
    button: () => t('reset.submit'),
    send: async (draft) => {
      const { address, code, newPassword: password } = draft
      await call('account.reset', { ...address, code: bareCode(code), password })
      draft.password = ''
      draft.to('password', () => t('reset.done'))
    },
  },
}
