interface GameAddress {
  /** Host name or IP address; IPv6 without brackets. */
  host: string
  /** Null: the game's default, or an SRV record. */
  port: number | null
}

/** Maximum input length, in characters; ample for a name with scheme and port. */
const MOST = 400

/** Parses host and port, one text, brackets or a URL. A port in the text belongs to its host. Null without a host. */
export function gameAddress(sent: { host: string; port?: number | null | undefined }): GameAddress | null {
  const text = sent.host.trim()
  const given = (sent.port ?? 0) > 0 ? sent.port! : null
  if (text.length > MOST) return { host: text, port: given }
  const bare = text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/\/.*$/s, '')
  const [, inBrackets, alone = bare, port] = /^(?:\[([^[\]]+)\]|(.*?))(?::(\d*))?$/s.exec(bare) ?? []
  const own = port ? portOf(Number(port)) : null
  if (inBrackets !== undefined) return { host: inBrackets, port: own ?? given }
  if (isIPv6(bare)) return { host: bare, port: given }
  // One colon precedes a port. Unbracketed IPv6 has more, and a port only after eight groups. Anything else is invalid.
  const isNoPort = port !== undefined && own === null && Number(port) > 0
  if (isNoPort || (alone.includes(':') && !isIPv6(alone)))
    return { host: text, port: given === Number(port) ? null : given }
  const host = alone.replace(/\.$/, '')
  return host === '' ? null : { host, port: own ?? given }
}

/** As displayed and pasted into the game, always with the port. */
export function addressText({ host, port }: GameAddress): string {
  const name = isIPv6(host) ? `[${host}]` : host
  return port === null ? name : `${name}:${port}`
}

const portOf = (port: number): number | null => (port > 0 && port < 65_536 ? port : null)

const isIPv6 = (text: string): boolean =>
  /^[\da-f.]*:[\da-f:.]*(?:%[^\s%[\]]+)?$/i.test(text) && URL.canParse(`http://[${text.replace(/%.*$/, '')}]`)
