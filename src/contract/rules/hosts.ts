// Hosts with an API of their own, which adapters translate (src/hosts). A connection's address tells which it is.

/** Where the client API of a Pterodactyl or Pelican panel is. */
export const PANEL_PATH = '/api/client'

export const EXAROTON = 'https://api.exaroton.com/v1'
/** For tests, on this computer only. */
const EXAROTON_HERE = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\/exaroton\/v1$/

export type HostKind = 'pterodactyl' | 'exaroton' | 'sftp'

/** Null for a service that speaks the contract itself. */
export function hostKindOf(baseUrl: string): HostKind | null {
  if (baseUrl === EXAROTON || EXAROTON_HERE.test(baseUrl)) return 'exaroton'
  if (!URL.canParse(baseUrl)) return null
  const { protocol, pathname } = new URL(baseUrl)
  if (protocol === 'sftp:') return 'sftp'
  return pathname.endsWith(PANEL_PATH) ? 'pterodactyl' : null
}

/** exaroton's own addresses, and those of its servers. */
export const isExaroton = (hostname: string): boolean => /(^|\.)exaroton\.(com|me)$/i.test(hostname)

/** Where a host shows what the panel doesn't. */
export const hostPanelOf = (baseUrl: string): string =>
  hostKindOf(baseUrl) === 'exaroton' ? 'https://exaroton.com/' : new URL(baseUrl).origin

/** Whether what is there can be renamed or moved. */
export const movesFiles = (baseUrl: string): boolean => hostKindOf(baseUrl) !== 'exaroton'

/** Whether a running server is paid for by the hour, so that a start costs something. */
export const costsCredits = (baseUrl: string): boolean => hostKindOf(baseUrl) === 'exaroton'

/** Whether schedules are the host's own: in a time zone that it doesn't tell, and only at times. */
export const keepsOwnSchedules = (baseUrl: string): boolean => isPanel(baseUrl)

/** Whether a key can be deleted at its host from here, and consoles are opened by the panel's address. */
export const isPanel = (baseUrl: string): boolean => hostKindOf(baseUrl) === 'pterodactyl'

/** The origin of a typed address, such as `panel.example.com`; null if it is none. */
export function originIn(typed: string): string | null {
  const text = typed.trim()
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  // Chromium takes spaces in names.
  return /^\S+$/.test(text) && URL.canParse(address) ? new URL(address).origin : null
}

/** Whether a backup that the host keeps can be saved here. */
export const sendsBackups = (baseUrl: string): boolean => isPanel(baseUrl)

/** Whether a server can get another name from here. */
export const namesServers = (baseUrl: string): boolean => hostKindOf(baseUrl) === null || isPanel(baseUrl)

/** States that hosts have and the contract has not, and which of its own they are like. */
export const HOST_STATES = { saving: 'stopping', loading: 'starting', waiting: 'starting' } as const
