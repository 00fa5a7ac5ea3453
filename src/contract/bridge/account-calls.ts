import { z } from 'zod'
import { Email, Password } from '../areas/account.ts'
import type { Promotion } from '../areas/promocodes.ts'
import { SecondFactorCode, type SecondFactorSecret } from '../areas/second-factor.ts'
import { BaseUrl, call, connection, Id, Secret } from './call.ts'
import type { Connection, GoogleOutcome, GoogleSignInStart } from './values.ts'

/** A mailed code. Ours have six digits; other services' may differ. */
const AnyCode = z.string().trim().min(1).max(100)

export const accountCalls = {
  'account.register': call<void>().of(
    z.object({
      baseUrl: BaseUrl,
      name: z.string().max(200),
      email: Email,
      password: Password,
      language: z.enum(['en', 'de']).optional(),
    }),
  ),
  /** Null: confirmed, but this service requires a separate sign-in. */
  'account.confirm': call<Connection | null>().of(
    z.object({ baseUrl: BaseUrl, email: Email, code: AnyCode }),
  ),
  'account.resend': call<void>().of(z.object({ baseUrl: BaseUrl, email: Email })),
  'account.forgot': call<void>().of(z.object({ baseUrl: BaseUrl, email: Email })),
  'account.reset': call<void>().of(
    z.object({ baseUrl: BaseUrl, email: Email, code: AnyCode, password: Password }),
  ),
  'account.update-password': call<void>().of(
    connection.extend({
      currentPassword: Secret,
      newPassword: Password,
      code: SecondFactorCode.optional(),
    }),
  ),
  /** Writes the account's data to a file in the downloads folder. */
  'account.save-export': call<{ path: string }>().of(connection),
  /** The secret for an authenticator app, returned only to the calling window and never stored. */
  'account.begin-second-factor': call<SecondFactorSecret>().of(
    connection.extend({ currentPassword: Secret }),
  ),
  'account.turn-on-second-factor': call<{ recoveryCodes: string[] }>().of(
    connection.extend({ code: SecondFactorCode }),
  ),
  'account.turn-off-second-factor': call<void>().of(
    connection.extend({ currentPassword: Secret, code: SecondFactorCode }),
  ),
  'account.unlink-identity': call<void>().of(
    connection.extend({
      identityId: Id,
      currentPassword: Secret,
      code: SecondFactorCode.optional(),
    }),
  ),

  /** Null: activated, but the service doesn't say what it gives. */
  'promocodes.activate': call<Promotion | null>().of(connection.extend({ code: AnyCode })),

  // What passes between panel, browser and service for Google stays in main.
  /** False too if the service can't be reached. */
  'account.google-offered': call<boolean>().of(z.object({ baseUrl: BaseUrl })),
  /** Opens the browser and waits for it. Cancels an earlier attempt. */
  'account.begin-google': call<GoogleSignInStart>().of(z.object({ baseUrl: BaseUrl })),
  'account.reopen-google': call<boolean>().of(z.object({ id: Id })),
  /** Resolves when the browser returns or no longer will. Call again with whatever was asked for. */
  'account.finish-google': call<GoogleOutcome>().of(
    z.object({
      id: Id,
      password: Secret.optional(),
      code: SecondFactorCode.optional(),
      language: z.enum(['en', 'de']).optional(),
    }),
  ),
  'account.cancel-google': call<void>().of(z.object({ id: Id })),
}
