import { z } from 'zod'
import { SecondFactorCode } from '../areas/second-factor.ts'
import { BaseUrl, call, Id, Secret } from './call.ts'
import type { GoogleSignInStart, GoogleOutcome } from './values.ts'

/** What passes between panel, browser and service stays in main. */
export const googleCalls = {
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
