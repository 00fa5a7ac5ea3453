import { z } from 'zod'
import { call, Id } from './call.ts'

/** What a person can send along when they ask for help. */
export interface Diagnostics {
  /** Saves exactly this text; the latest few are kept. */
  id: string
  text: string
  /** Crash reports that lie on this computer; null where the panel keeps none, as in a browser. */
  crashes: number | null
}

/** What helps to find a fault: without secrets, and seen before it goes anywhere. */
export const diagnosticsCalls = {
  /** `hosts`: services by their host names; otherwise they have stand-ins. Addresses of computers are never told. */
  'diagnostics.read': call<Diagnostics>().of(z.object({ hosts: z.boolean() })),
  /** Writes what was shown into a file in the folder for downloads of this computer. `not-found`: it was shown too long ago. */
  'diagnostics.save': call<{ path: string }>().of(z.object({ id: Id })),
}
