import { outgoing } from '../../../host/network/outgoing.ts'
import type { Dispatcher } from '../../../host/network/undici.ts'

/** How long a connection may take to stand, in ms. */
const CONNECT_MS = 15_000

/** The ways to an address, as the system of whoever started the service says: `PROXY host:8080; DIRECT`. */
export type ResolveProxy = (address: string) => Promise<string>

/**
 * What asks catalogs and fetches files: by a proxy that the environment names, where it may carry a name and a password; else as the
 * system says, where somebody can be asked; else directly. It trusts whom this computer trusts.
 */
export const outbound = (resolve?: ResolveProxy): Dispatcher =>
  outgoing({ timeout: CONNECT_MS, envProxy: true, resolve })
