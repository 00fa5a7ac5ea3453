import { account } from '../../../contract/areas/account.ts'
import { googleSignIn } from '../../../contract/areas/google.ts'
import { myAccount } from '../../../contract/areas/my-account.ts'
import { SECOND_FACTOR_HEADER, secondFactor } from '../../../contract/areas/second-factor.ts'
import type { Accounts } from '../../hosting/accounts/accounts.ts'
import type { Limiter } from '../../http/limits/limiter.ts'
import { mailLanguageOf } from '../../hosting/mail/mail-words.ts'
import type { LocalSecret } from '../../hosting/accounts/local-secret.ts'
import type { SessionHook } from '../../hosting/accounts/sessions.ts'
import { addressGroup } from '../../base/client-address.ts'
import { isLoopback } from '../../base/host.ts'
import { refusal } from '../../../host/refusal.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'

export interface AccountRoutes {
  accounts: Accounts
  limiter: Limiter
  allowRegistration: boolean
  localSecret: LocalSecret | null
  begun: SessionHook
  exportOf: (accountId: string) => object
}

export function mountAccount(app: ServiceApp, { accounts, limiter, ...options }: AccountRoutes): void {
  const { begun } = options
  serve(app, account.register, async ({ body, address, c }) => {
    if (!options.allowRegistration) throw refusal(403, 'account.registration-off')
    return {
      user: await accounts.register(
        { ...body, language: mailLanguageOf(c.req.header('accept-language')) },
        address,
      ),
    }
  })
  serve(app, account.resend, ({ body, address }) => accounts.resend(body.email, address))
  serve(app, account.confirm, async ({ body, address, c }) =>
    begun(await accounts.confirm(body.email, body.code, address), address, c),
  )
  serve(app, account.signIn, async ({ body, address, c }) =>
    begun(await accounts.signIn(body.email, body.password, address, body.code), address, c),
  )
  serve(app, account.signOut, ({ caller }) => accounts.signOut(caller))
  serve(app, account.me, ({ caller }) => accounts.me(caller))
  serve(app, account.forgot, ({ body, address }) => accounts.forgot(body.email, address))
  serve(app, account.reset, ({ body, address }) =>
    accounts.reset(body.email, body.code, body.password, address),
  )
  serve(app, account.updatePassword, ({ caller, body, c }) =>
    accounts.updatePassword(
      caller,
      body.currentPassword,
      body.newPassword,
      c.req.header(SECOND_FACTOR_HEADER),
    ),
  )
  mountMyAccount(app, accounts, options.exportOf)
  mountSecondFactor(app, accounts)
  mountIdentities(app, accounts)
  serve(app, account.local, ({ body, address }) => {
    if (!options.localSecret || !isLoopback(address)) throw refusal(403, 'account.local-off')
    // Limits apply only to wrong secrets, since strangers on this computer can try too.
    const session = options.localSecret.use(body.secret, () => accounts.signInLocal())
    if (session) return session
    limiter.take(['localPerAddress', addressGroup(address)])
    throw refusal(401, 'account.wrong-credentials.secret')
  })
}

function mountMyAccount(app: ServiceApp, accounts: Accounts, exportOf: AccountRoutes['exportOf']): void {
  const { sessions } = accounts
  serve(app, myAccount.update, ({ caller, body }) => accounts.update(caller, body))
  serve(app, myAccount.sessions, ({ caller }) => ({ items: sessions.list(caller), nextCursor: null }))
  serve(app, myAccount.endSession, ({ caller, params }) => sessions.end(caller, params.sessionId))
  serve(app, myAccount.endOtherSessions, ({ caller }) => sessions.endOthers(caller))
  serve(app, myAccount.export, ({ caller, c }) => {
    c.header('Content-Disposition', 'attachment; filename="account.json"')
    c.header('Cache-Control', 'no-store')
    return { ...accounts.exportOf(caller), ...exportOf(caller.accountId) }
  })
}

function mountSecondFactor(app: ServiceApp, { secondFactors }: Accounts): void {
  serve(app, secondFactor.read, ({ caller }) => secondFactors.state(caller))
  serve(app, secondFactor.begin, ({ caller, body }) => secondFactors.begin(caller, body.currentPassword))
  serve(app, secondFactor.turnOn, ({ caller, body }) => secondFactors.turnOn(caller, body.code))
  serve(app, secondFactor.turnOff, ({ caller, body, c }) =>
    secondFactors.turnOff(caller, body.currentPassword, c.req.header(SECOND_FACTOR_HEADER)),
  )
}

function mountIdentities(app: ServiceApp, accounts: Accounts): void {
  serve(app, googleSignIn.methods, ({ caller }) => accounts.signInMethods(caller))
  serve(app, googleSignIn.unlink, ({ caller, params, body, c }) =>
    accounts.unlinkIdentity(
      caller,
      params.identityId,
      body.currentPassword,
      c.req.header(SECOND_FACTOR_HEADER),
    ),
  )
}
