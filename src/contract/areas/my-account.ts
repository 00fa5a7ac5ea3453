import { z } from 'zod'
import { AccountName, User } from './account.ts'
import { alsoNamed, ID_NAMES } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { json, list, Time, always, maybe } from '../declarations/operation.ts'

const { read, write } = area('account')

export const AccountSession = alsoNamed(
  z.object({
    id: always.filled,
    device: maybe.text,
    address: maybe.text,
    createdAt: Time.nullish(),
    lastUsedAt: Time.nullish(),
    current: maybe.flag,
  }),
  {
    id: ID_NAMES,
    device: ['userAgent', 'client'],
    address: ['ip', 'ipAddress', 'remoteAddress'],
    createdAt: ['created'],
    lastUsedAt: ['lastUsed', 'lastSeen', 'lastActive', 'lastActiveAt'],
    current: ['isCurrent'],
  },
)
export type AccountSession = z.infer<typeof AccountSession>

export const MailLanguage = z.enum(['en', 'de'])
export type MailLanguage = z.infer<typeof MailLanguage>

export const myAccount = {
  update: write({
    id: 'account.update-me',
    summary: 'Change the name or language of the account',
    method: 'PATCH',
    path: '/users/me',
    origin: 'assumed',
    body: z.object({ name: AccountName.optional(), language: MailLanguage.optional() }),
    answer: json(User),
    bridge: 'pass',
    puts: 'account.me',
  }),
  sessions: read({
    id: 'account.sessions',
    summary: 'List the devices that are signed in',
    path: '/users/me/sessions',
    origin: 'extension',
    answer: list(AccountSession, 'id'),
    keep: 'memory',
  }),
  endSession: write({
    id: 'account.end-session',
    summary: 'Sign out one device and revoke its token',
    method: 'DELETE',
    path: '/users/me/sessions/:sessionId',
    origin: 'extension',
    bridge: 'pass',
    stale: ['account.sessions'],
  }),
  endOtherSessions: write({
    id: 'account.end-other-sessions',
    summary: 'Sign out all other devices',
    method: 'DELETE',
    path: '/users/me/sessions',
    origin: 'extension',
    bridge: 'pass',
    stale: ['account.sessions'],
  }),
  export: read({
    id: 'account.export',
    summary: 'Download all data of the account as a JSON file',
    // Searches the logs of all servers.
    rate: { burst: 20, perSecond: 0.1 },
    path: '/users/me/export',
    origin: 'assumed',
    answer: json(z.object({ account: User.nullish() })),
    keep: 'never',
    bridge: 'own',
  }),
}
