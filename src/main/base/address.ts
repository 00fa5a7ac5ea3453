import { BASE_PATH } from '../../contract/areas/index.ts'
import { type LocalizedText, localized } from '../../contract/messages/localized-text.ts'
import { problem } from './problem.ts'
import { hostKindOf } from '../../contract/rules/hosts.ts'
import { sftpAddress } from '../../contract/rules/sftp.ts'
import { isLoopback } from '../../host/network/loopback.ts'

const bad = (why: LocalizedText) => problem('bad-address', why, { fields: { baseUrl: [why.message] } })

function corrected(url: URL): string {
  const path = url.pathname.replace(/\/+$/, '')
  const inside = path.indexOf(`${BASE_PATH}/`)
  if (inside >= 0) return url.origin + path.slice(0, inside) + BASE_PATH
  const version = /\/(?:api(?:\/v\d+)?)$/i.exec(path)
  return url.origin + (version ? path.slice(0, version.index) : path) + BASE_PATH
}

/** Specification §1; other hosts' addresses are theirs. Throws `bad-address`; `fields.baseUrl` explains the error and may suggest a fix. */
export function baseAddress(typed: string): string {
  const text = typed.trim()
  if (text === '') throw bad(localized('base-address.empty'))
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)
  let url: URL
  try {
    if (/\s/.test(text)) throw new TypeError('white space')
    url = new URL(scheme ? text : `https://${text}`)
  } catch {
    throw bad(localized('base-address.none'))
  }
  if (url.protocol === 'sftp:') return sftpBase(url, text)
  if (url.username !== '' || url.password !== '') {
    throw bad(localized('base-address.password'))
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw bad(localized('base-address.query'))
  }
  const home = isLoopback(url.hostname)
  if (!scheme && home) url = new URL(`http://${text}`)
  // A bare host gets the default path.
  if (!scheme && url.pathname === '/') return url.origin + BASE_PATH

  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw bad(localized('base-address.scheme', { scheme: scheme?.[0] ?? url.protocol }))
  }
  if (url.protocol === 'http:' && !home) {
    const secure = new URL(url)
    secure.protocol = 'https:'
    throw bad(localized('base-address.unencrypted', { address: corrected(secure) }))
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (hostKindOf(url.origin + path)) return url.origin + path
  if (!path.endsWith(BASE_PATH)) throw bad(localized('base-address.ending', { address: corrected(url) }))
  if (path.includes('//')) throw bad(localized('base-address.slashes'))
  return url.origin + path
}

function sftpBase({ username, password }: URL, text: string): string {
  if (password !== '') throw bad(localized('base-address.password'))
  const address = sftpAddress(text)
  if (address === null || username === '') throw bad(localized('base-address.sftp'))
  return address
}
