import type { User } from '../../../contract/areas/account.ts'
import type { MailLanguage } from '../../../contract/areas/my-account.ts'
import { isoTime } from '../../base/clock.ts'
import { signedOut, type Caller } from '../../http/serve.ts'
import type { AccountParts } from './accounts.ts'
import { userOf } from './sessions.ts'

/** More than an account can own, plus as many shared or offered. */
const SERVERS_MAX = 1000
const PROMOTIONS_MAX = 1000

export function createProfile({ store, clock, sessions, secondFactors }: AccountParts) {
  const { accounts } = store

  return {
    update(
      caller: Caller,
      { name, language }: { name?: string | undefined; language?: MailLanguage | undefined },
    ): User {
      return store.inOneStep(() => {
        accounts.update(caller.accountId, name, language)
        const account = accounts.byId(caller.accountId)
        if (!account) throw signedOut()
        return userOf(account)
      })
    },

    /** Everything stored about the account. Hashes are counted or left out: they would only help guessing. */
    exportOf(caller: Caller) {
      const account = accounts.byId(caller.accountId)
      if (!account) throw signedOut()
      return {
        account: userOf(account),
        confirmedAt: account.confirmedAt === null ? null : isoTime(account.confirmedAt),
        hasPassword: account.passwordHash !== null,
        signsInWith: store.identities
          .of(account.id)
          .map(({ linkedAt, ...identity }) => ({ ...identity, since: isoTime(linkedAt) })),
        secondFactor: secondFactors.state(caller),
        sessions: sessions.list(caller),
        knownAddresses: accounts.knownCount(caller.accountId),
        promotions: store.promocodes
          .page(account.id, Number.MAX_SAFE_INTEGER, PROMOTIONS_MAX)
          .map(({ seq: _seq, activatedAt, endsAt, ...promotion }) => ({
            ...promotion,
            activatedAt: isoTime(activatedAt),
            endsAt: endsAt === null ? null : isoTime(endsAt),
          })),
        servers: store.servers.page(caller.accountId, 0, SERVERS_MAX).map((row) => ({
          id: row.id,
          name: row.name,
          software: { id: row.softwareId, version: row.softwareVersion },
          memoryMb: row.memoryMb,
          port: row.port,
          createdAt: isoTime(row.createdAt),
        })),
        sharedWithYou: store.sharing.memberships(account.id, SERVERS_MAX).map((row) => ({
          server: { id: row.serverId, name: row.serverName },
          scopes: row.scopes,
          since: isoTime(row.since),
        })),
        invitations: store.sharing.offers(account.email ?? '', clock.now(), '', SERVERS_MAX).map((row) => ({
          id: row.id,
          server: row.serverName,
          from: row.fromName,
          scopes: row.scopes,
          expiresAt: isoTime(row.expiresAt),
        })),
      }
    },
  }
}
