/** Where players connect. */
export interface GameAddress {
  /** A name or an address of either kind; IPv6 without brackets. */
  host: string
  /** Not given: the game's usual one, or what a name says of it (SRV). */
  port: number | null
}

/** Longest text that is taken apart; no name is longer, with a port and what some put before it. Characters. */
const MOST = 400

/**
 * The address of a server, however a service writes it: as host and port, as one text, in brackets, behind a scheme. What
 * stands with a port in one text belongs together. Null where there is no host.
 */
export function gameAddress(sent: { host: string; port?: number | null | undefined }): GameAddress | null {
  const text = sent.host.trim()
  const given = (sent.port ?? 0) > 0 ? sent.port! : null
  if (text.length > MOST) return { host: text, port: given }
  const bare = text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/\/.*$/s, '')
  const [, inBrackets, alone = bare, port] = /^(?:\[([^[\]]+)\]|(.*?))(?::(\d*))?$/s.exec(bare) ?? []
  const own = port ? portOf(Number(port)) : null
  if (inBrackets !== undefined) return { host: inBrackets, port: own ?? given }
  if (isIPv6(bare)) return { host: bare, port: given }
  // One colon is before a port; IPv6 without brackets has more, and a port behind its eight groups. All else is not known.
  const isNoPort = port !== undefined && own === null && Number(port) > 0
  if (isNoPort || (alone.includes(':') && !isIPv6(alone)))
    return { host: text, port: given === Number(port) ? null : given }
  const host = alone.replace(/\.$/, '')
  return host === '' ? null : { host, port: own ?? given }
}

/** An address as people read it and as the game takes it. The usual port is written too: people paste it. */
export function addressText({ host, port }: GameAddress): string {
  const name = isIPv6(host) ? `[${host}]` : host
  return port === null ? name : `${name}:${port}`
}

const portOf = (port: number): number | null => (port > 0 && port < 65_536 ? port : null)

/** With or without a zone. */
const isIPv6 = (text: string): boolean =>
  /^[\da-f.]*:[\da-f:.]*(?:%[^\s%[\]]+)?$/i.test(text) && URL.canParse(`http://[${text.replace(/%.*$/, '')}]`)
