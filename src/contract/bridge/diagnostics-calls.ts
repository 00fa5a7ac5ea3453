import { z } from 'zod'
import { call, Id } from './call.ts'

export interface Diagnostics {
  /** For saving exactly this text; only the latest few are kept. */
  id: string
  text: string
  /** Number of crash reports on this computer; null if the panel keeps none, as in a browser. */
  crashes: number | null
}

/** Without secrets, and shown before it is saved. */
export const diagnosticsCalls = {
  /** `hosts`: include services' host names instead of placeholders. IP addresses are never included. */
  'diagnostics.read': call<Diagnostics>().of(z.object({ hosts: z.boolean() })),
  /** Writes the shown report to the downloads folder. `not-found`: it is no longer kept. */
  'diagnostics.save': call<{ path: string }>().of(z.object({ id: Id })),
}
