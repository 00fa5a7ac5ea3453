import { BASE_PATH } from '../contract/areas/index.ts'
import { EXAROTON, isExaroton, PANEL_PATH } from '../contract/rules/hosts.ts'
import { sftpAddress } from '../contract/rules/sftp.ts'
import type { Dial } from '../host/network/dial.ts'
import { hostRefusal } from './base/adapter.ts'
import type { NetworkRequester } from './base/requester.ts'

const ANSWER_MS = 8000
const ANSWER_MOST = 64 * 1024

/**
 * The address of the host's API, if one answers there; null for services that speak the contract, and for whatever
 * doesn't say what it is. `typed` is a whole address. Throws a `HostRefusal` for hosts that nobody may connect to.
 */
export async function recognizeHost(typed: string, network: NetworkRequester): Promise<string | null> {
  const url = new URL(typed)
  if (/(^|\.)aternos\.(org|me|host)$/i.test(url.hostname)) throw hostRefusal(422, 'host.aternos')
  if (isExaroton(url.hostname)) return EXAROTON
  if (url.pathname.includes(BASE_PATH)) return null
  const base = url.origin + PANEL_PATH
  return (await isPanel(base, network)) ? base : null
}

/** Without a key, these panels say so in their own form. No secret is sent. */
async function isPanel(base: string, network: NetworkRequester): Promise<boolean> {
  const { origin, pathname } = new URL(base)
  const signal = AbortSignal.timeout(ANSWER_MS)
  try {
    const { statusCode, body } = await network.request({
      ...{ origin, path: `${pathname}/account`, method: 'GET', signal },
      headers: { accept: 'application/json', 'user-agent': 'Wheelhouse' },
    })
    body.on('error', () => {})
    let text = ''
    for await (const piece of body as AsyncIterable<Buffer>) {
      text += piece.toString()
      if (statusCode !== 401 || text.length > ANSWER_MOST) break
    }
    body.destroy()
    return statusCode === 401 && /"code"\s*:\s*"AuthenticationException"/.test(text)
  } catch {
    return false
  }
}

/** The address of the SSH server that answers at what was typed without a scheme; null if none does. */
export async function recognizeSftp(typed: string, dial: Dial): Promise<string | null> {
  const address = sftpAddress(typed)
  if (address === null) return null
  const { placeOf, speaksSsh } = await import('./sftp/place.ts')
  return (await speaksSsh(placeOf(address), dial)) ? address : null
}
