import { account, type Session, type User } from '../../contract/areas/account.ts'
import { hideToken } from './hide-token.ts'
import { googleSignIn } from '../../contract/areas/google.ts'
import type { InputOf, Operation, OutputOf } from '../../contract/declarations/operation.ts'
import type { Connection } from '../../contract/bridge/values.ts'
import { hostKindOf } from '../../contract/rules/hosts.ts'
import { type LocalizedText, localized } from '../../contract/messages/localized-text.ts'
import { baseAddress } from '../base/address.ts'
import type { TokenCheck } from '../api/classify.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem, problem } from '../base/problem.ts'
import type { SendOptions } from '../api/send-options.ts'
import type { Log } from '../logging/log.ts'
import type { bareClients, SeenDrift } from './bare-clients.ts'
import { RefusedFieldNames } from './refused-field-names.ts'

export type TakenSession = Pick<Session, 'token' | 'expiresAt'> & { user: User | null }

/** Drift seen before the connection exists, reported once it does. */
export type EarlyDrift = Parameters<SeenDrift>[]

export interface SignInPorts {
  clientAt: ReturnType<typeof bareClients>
  adopt: (baseUrl: string, session: TakenSession, seen: EarlyDrift) => Promise<Connection>
  log: Log
}

const GIVE_BACK_MS = 5000

/** Sign-ins that have no connection yet. Parses `baseUrl` as typed. */
export class SignIn {
  readonly refused = new RefusedFieldNames()
  readonly #ports: SignInPorts

  constructor(ports: SignInPorts) {
    this.#ports = ports
  }

  /** The same user at the same service resumes the existing connection. */
  async signIn(input: {
    baseUrl: string
    email: string
    password: string
    code?: string | undefined
  }): Promise<Connection> {
    const { baseUrl, ...body } = input
    const at = baseAddress(baseUrl)
    const seen: EarlyDrift = []
    const session = await this.#ask(at, account.signIn, { body }, seen)
    return this.#enter(at, session, seen)
  }

  /** Checks a pasted token first; `invalid` with `fields.token` if refused. */
  async useToken({ baseUrl, token: pasted }: { baseUrl: string; token: string }): Promise<Connection> {
    const at = baseAddress(baseUrl)
    const token = pasted.trim().replace(/^bearer\s+/i, '')
    const wrong = (why: LocalizedText) => problem('invalid', why, { fields: { token: [why.message] } })
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw wrong(localized('account.token-form'))
    }
    const seen: EarlyDrift = []
    return this.#checked(at, token, seen, (check) => {
      switch (check.kind) {
        case 'failed':
        case 'refused':
          throw new PanelProblem(check.problem)
        case 'rejected':
          throw wrong(localized(hostKindOf(at) === 'sftp' ? 'account.sftp-refused' : 'account.token-refused'))
        case 'valid':
          return this.#ports.adopt(at, { token, expiresAt: null, user: check.user ?? null }, seen)
        case 'unavailable':
          throw problem('incompatible', localized('account.no-service'))
      }
    })
  }

  /**
   * `claim` is called once, right before the connection is made; if it returns false, the token is revoked and the
   * result is null.
   */
  async exchangeGoogle({
    baseUrl,
    language,
    claim,
    ...body
  }: {
    baseUrl: string
    language?: string | undefined
    claim: () => boolean
  } & InputOf<typeof googleSignIn.exchange>['body']): Promise<Connection | null> {
    const seen: EarlyDrift = []
    const session = await this.#ask(baseUrl, googleSignIn.exchange, { body }, seen, { language })
    return this.#enter(baseUrl, session, seen, claim)
  }

  /** `language`: of emails the service may send. */
  async register(input: {
    baseUrl: string
    name: string
    email: string
    password: string
    language?: string | undefined
  }): Promise<void> {
    const { baseUrl, language, ...body } = input
    await this.#ask(baseAddress(baseUrl), account.register, { body }, [], { language })
  }

  /** Confirms the account by emailed code; also signs in if the service returns a token. */
  async confirm(input: { baseUrl: string; email: string; code: string }): Promise<Connection | null> {
    const { baseUrl, ...body } = input
    const at = baseAddress(baseUrl)
    const seen: EarlyDrift = []
    const session = await this.#ask(at, account.confirm, { body }, seen)
    return session && this.#enter(at, session, seen)
  }

  async resend(input: { baseUrl: string; email: string }): Promise<void> {
    await this.#ask(baseAddress(input.baseUrl), account.resend, { body: { email: input.email } })
  }

  async forgot(input: { baseUrl: string; email: string }): Promise<void> {
    await this.#ask(baseAddress(input.baseUrl), account.forgot, { body: { email: input.email } })
  }

  /** Sets a new password by code; returns the service's address. Revokes the account's older tokens. */
  async reset(input: { baseUrl: string; email: string; code: string; password: string }): Promise<string> {
    const { baseUrl, ...body } = input
    const at = baseAddress(baseUrl)
    await this.#ask(at, account.reset, { body })
    return at
  }

  /** Null if `claim` returns false. */
  #enter(at: string, session: Session, seen: EarlyDrift): Promise<Connection>
  #enter(at: string, session: Session, seen: EarlyDrift, claim: () => boolean): Promise<Connection | null>
  #enter(
    at: string,
    { token, expiresAt, user }: Session,
    seen: EarlyDrift,
    claim = () => true,
  ): Promise<Connection | null> {
    const known = Boolean(user?.id || user?.email)
    return this.#checked(at, token, seen, (check, client) => {
      // No await in between: a later cancel finds the connection.
      const adopt = (user: User | null) =>
        claim() ? this.#ports.adopt(at, { token, expiresAt, user }, seen) : givenBack(client)
      switch (check.kind) {
        case 'rejected':
          throw problem('incompatible', localized('account.token-useless'), { detail: 'token' })
        case 'valid':
          return adopt(check.user ?? user ?? null)
        case 'refused':
        case 'unavailable':
          // Nothing else can be asked: rely on the response that gave the token.
          if (known) return adopt(user ?? null)
          throw check.kind === 'refused'
            ? new PanelProblem(check.problem)
            : problem('incompatible', localized('account.no-service'))
        case 'failed':
          throw new PanelProblem(check.problem)
      }
    })
  }

  async #checked<T>(
    at: string,
    token: string,
    seen: EarlyDrift,
    then: (check: TokenCheck, client: ApiClient) => Promise<T>,
  ): Promise<T> {
    const shown = hideToken(this.#ports.log, token)
    const client = this.#ports.clientAt(at, { token: async () => token, onDrift: noted(seen) })
    try {
      return await then(await client.check(), client)
    } finally {
      client.close()
      shown()
    }
  }

  async #ask<Op extends Operation>(
    baseUrl: string,
    op: Op,
    input: InputOf<Op>,
    seen: EarlyDrift = [],
    options: SendOptions = {},
  ): Promise<OutputOf<Op>> {
    try {
      return (await this.#ports.clientAt(baseUrl, { onDrift: noted(seen) }).send(op, input, options)).value
    } catch (fault) {
      const wanted = this.refused.note(baseUrl, seen)
      if (wanted.length === 0 || !(fault instanceof PanelProblem)) throw fault
      throw new PanelProblem({ ...fault.problem, wanted })
    }
  }
}

/** Revokes an unwanted sign-in; if the service is unreachable, its token simply expires. */
async function givenBack(client: ApiClient): Promise<null> {
  await client.send(account.signOut, {}, { signal: AbortSignal.timeout(GIVE_BACK_MS) }).catch(() => undefined)
  return null
}

const noted =
  (seen: EarlyDrift): SeenDrift =>
  (...drift) =>
    void seen.push(drift)
