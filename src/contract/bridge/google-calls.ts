import { z } from 'zod'
import { SecondFactorCode } from '../areas/second-factor.ts'
import { BaseUrl, call, Id, Secret } from './call.ts'
import type { GoogleBegun, GoogleOutcome } from './values.ts'

/** Signing in with Google. What passes between panel, browser and service stays in main. */
export const googleCalls = {
  /** Whether the service says that it has this; false too where it cannot be asked now. */
  'account.google-offered': call<boolean>().of(z.object({ baseUrl: BaseUrl })),
  /** Waits for the browser, and opens it. One that was begun before ends. */
  'account.begin-google': call<GoogleBegun>().of(z.object({ baseUrl: BaseUrl })),
  /** Opens the browser once more; false where that does not work. */
  'account.reopen-google': call<boolean>().of(z.object({ id: Id })),
  /** Resolves when the browser has come back, or no longer will. Called again with what was asked for. */
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
