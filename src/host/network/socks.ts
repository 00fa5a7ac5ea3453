import { connect, isIPv4, type Socket } from 'node:net'
import { ProxyFault } from './proxy-fault.ts'
import type { buildConnector } from './undici.ts'

interface SocksOptions {
  timeout: number
  secure: buildConnector.connector
}

export const isSocks = (proxy: string): boolean => /^socks[45]:/.test(proxy)

/** `socks5://` or `socks4://`. The proxy resolves the host name, as with `ssh -D`. */
export function socksConnector(proxy: string, { timeout, secure }: SocksOptions): buildConnector.connector {
  const { protocol, hostname, port } = new URL(proxy)
  const shakeHands = protocol === 'socks4:' ? byVersion4 : byVersion5
  return (to, done) => {
    const socket = connect({ host: bare(hostname), port: Number(port) || 1080 })
    socket.setNoDelay(true)
    const late = Object.assign(new Error('The proxy did not answer in time.'), {
      code: 'UND_ERR_CONNECT_TIMEOUT',
    })
    const timer = setTimeout(() => socket.destroy(late), timeout)
    const target = { host: bare(to.hostname), port: Number(to.port) || (to.protocol === 'https:' ? 443 : 80) }
    shakeHands(socket, target)
      .finally(() => clearTimeout(timer))
      .then(
        () => (to.protocol === 'https:' ? secure({ ...to, httpSocket: socket }, done) : done(null, socket)),
        (error: Error) => {
          // Already reported; later errors have no listener.
          socket.on('error', () => undefined).destroy()
          done(error, null)
        },
      )
  }
}

interface Target {
  host: string
  port: number
}

const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** RFC 1928 without credentials: systems don't pass those to programs. */
async function byVersion5(socket: Socket, { host, port }: Target): Promise<void> {
  socket.write(Buffer.from([5, 1, 0]))
  const method = await answered(socket, () => 2)
  if (method[0] !== 5) throw noProxy()
  if (method[1] !== 0) throw new ProxyFault('PROXY_NAME', 'The SOCKS proxy wants a name and a password.')
  const address = isIPv4(host)
    ? [1, ...host.split('.').map(Number)]
    : [3, Buffer.byteLength(host), ...Buffer.from(host)]
  socket.write(Buffer.from([5, 1, 0, ...address, port >> 8, port & 255]))
  // The answer ends with an address whose length depends on its type.
  const answer = await answered(socket, (so) => {
    const [, , , kind, length = 0] = so
    if (so.length < 5) return 5
    return 6 + (kind === 1 ? 4 : kind === 4 ? 16 : 1 + length)
  })
  if (answer[0] !== 5) throw noProxy()
  if (answer[1] !== 0) throw refused(answer[1])
}

/** SOCKS 4a: version 4 with the host name after an invalid address. */
async function byVersion4(socket: Socket, { host, port }: Target): Promise<void> {
  const address = isIPv4(host) ? host.split('.').map(Number) : [0, 0, 0, 1]
  const name = isIPv4(host) ? [] : [...Buffer.from(host), 0]
  socket.write(Buffer.from([4, 1, port >> 8, port & 255, ...address, 0, ...name]))
  const answer = await answered(socket, () => 8)
  if (answer[0] !== 0) throw noProxy()
  if (answer[1] !== 0x5a)
    throw new ProxyFault(
      answer[1] === 0x5b ? 'PROXY_REFUSED' : 'PROXY_NAME',
      'The SOCKS proxy does not let us through.',
    )
}

const noProxy = () => new ProxyFault('PROXY_KIND', 'What answers there is no SOCKS proxy of this kind.')

/** An unreachable host gets the system's error codes; everything else counts as refused. */
function refused(reply: number | undefined): Error {
  const code = { 3: 'ENETUNREACH', 4: 'EHOSTUNREACH', 5: 'ECONNREFUSED' }[reply ?? 0]
  const message = `The SOCKS proxy answered ${reply}.`
  return code ? Object.assign(new Error(message), { code }) : new ProxyFault('PROXY_REFUSED', message)
}

/** Waits for `length` bytes, recomputed as data arrives; rejects if the connection ends first. */
function answered(socket: Socket, length: (so: Buffer) => number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let so = Buffer.alloc(0)
    const done = (act: () => void) => {
      socket.off('readable', read).off('error', failed).off('close', ended)
      act()
    }
    const failed = (error: Error) => done(() => reject(error))
    const ended = () => failed(new ProxyFault('PROXY_REFUSED', 'The SOCKS proxy closed the connection.'))
    const read = () => {
      for (;;) {
        const piece = socket.read(length(so) - so.length) as Buffer | null
        if (!piece) return
        so = Buffer.concat([so, piece])
        if (so.length >= length(so)) return done(() => resolve(so))
      }
    }
    socket.on('readable', read).on('error', failed).on('close', ended)
    read()
  })
}
