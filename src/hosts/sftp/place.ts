import { once } from 'node:events'
import type { Dial, DialTarget } from '../../host/network/dial.ts'

const BANNER_MS = 4000
const BANNER = 'SSH-'

/** Where a server is reached over SSH. */
export interface SshPlace {
  host: string
  port: number
  user: string
  /** The server's folder; `.` is where the host begins. */
  folder: string
}

export function placeOf(address: string): SshPlace {
  const { hostname, port, username, pathname } = new URL(address)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 22 : Number(port),
    user: decodeURIComponent(username),
    folder: decodeURIComponent(pathname) || '.',
  }
}

export const targetOf = ({ host, port }: Pick<SshPlace, 'host' | 'port'>): DialTarget => ({
  ...{ hostname: host, port, isSecure: false },
})

/** Whether an SSH server greets there. */
export async function speaksSsh(place: Pick<SshPlace, 'host' | 'port'>, dial: Dial): Promise<boolean> {
  const socket = await dial(targetOf(place)).catch(() => null)
  if (!socket) return false
  socket.on('error', () => undefined)
  try {
    const [greeting] = (await once(socket, 'data', { signal: AbortSignal.timeout(BANNER_MS) })) as [Buffer]
    return greeting.toString('latin1').startsWith(BANNER)
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
