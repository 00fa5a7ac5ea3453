// A server reached by SFTP: its address, and what opens it.

const PORT = '22'

/**
 * `sftp://user@host:port/folder`, as a connection has it; without its user if none was typed. Null for what is no
 * address. A password in it is for the caller to refuse.
 */
export function sftpAddress(typed: string): string | null {
  const text = typed.trim()
  const named = text.replace(/^(?:sftp:\/\/)?/i, 'sftp://')
  if (/[\s?#]/.test(text) || !URL.canParse(named)) return null
  const { username, hostname, port, pathname } = new URL(named)
  if (hostname === '') return null
  const at = port === '' || port === PORT ? '' : `:${port}`
  return `sftp://${username && `${username}@`}${hostname.toLowerCase()}${at}${pathname.replace(/\/+$/, '')}`
}

/** The address and its user, which are asked for apart. */
export function splitUser(address: string): { address: string; user: string } {
  const url = new URL(address)
  const user = decodeURIComponent(url.username)
  return { address: address.replace(/^sftp:\/\/[^/@]*@/, 'sftp://'), user }
}

export const withUser = (address: string, user: string): string =>
  address.replace(/^sftp:\/\/(?:[^/@]*@)?/, `sftp://${encodeURIComponent(user)}@`)

/** Kept in the keychain in place of a token. */
export interface SftpAccess {
  /** A password, or a private key. */
  secret: string
  /** Of the private key. */
  passphrase?: string
  /** The host's key that was shown at sign-in, as `ssh-ed25519 SHA256:…`. */
  hostKey: string
}

export const sftpToken = (access: SftpAccess): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(access))))

/** Null if it isn't one. */
export function sftpAccess(token: string): SftpAccess | null {
  try {
    const bytes = Uint8Array.from(atob(token), (letter) => letter.charCodeAt(0))
    const { secret, hostKey, passphrase } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<SftpAccess>
    if (typeof secret !== 'string' || typeof hostKey !== 'string') return null
    return { secret, hostKey, ...(typeof passphrase === 'string' && { passphrase }) }
  } catch {
    return null
  }
}

/** Whether it is a private key, also of a kind that can't be read: none is ever sent as a password. */
export const isPrivateKey = (secret: string): boolean =>
  /^\s*(?:-----BEGIN |PuTTY-User-Key-File-)/.test(secret)

/** A private key with the line ends that a field of one line takes away; null for a password. */
export function privateKeyIn(secret: string): string | null {
  const read = /^\s*-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----\s*$/.exec(secret)
  if (!read) return null
  const lines = (read[2] ?? '').replace(/\s+/g, '').match(/.{1,70}/g) ?? []
  return [`-----BEGIN ${read[1]}-----`, ...lines, `-----END ${read[1]}-----`, ''].join('\n')
}
