import { outgoing } from '../../../host/network/outgoing.ts'
import type { Dispatcher } from '../../../host/network/undici.ts'

const CONNECT_MS = 15_000

/** Proxies for an address, in PAC format: `PROXY host:8080; DIRECT`. */
export type ResolveProxy = (address: string) => Promise<string>

/** The environment's proxy (may include credentials), else the system's, else none. Trusts the computer's CAs. */
export const outbound = (resolve?: ResolveProxy): Dispatcher =>
  outgoing({ timeout: CONNECT_MS, envProxy: true, resolve })
