import type { Socket } from 'node:net'
import ssh2, { type Client, type ConnectConfig, type SFTPWrapper } from 'ssh2'
import { unlessAborted } from '../../contract/rules/lanes.ts'
import { isPrivateKey, privateKeyIn, sftpAccess } from '../../contract/rules/sftp.ts'
import type { Dial } from '../../host/network/dial.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import { keyName } from './host-key.ts'
import { type SshPlace, targetOf } from './place.ts'
import { LineCut, Session } from './session.ts'

const READY_MS = 20_000
const ALIVE_MS = 15_000
/** A refused password isn't tried again for so long, ms: hosts shut out who tries often. */
const REFUSED_MS = 30_000

export interface Caller {
  key: string
  signal: AbortSignal
}

/** What opens a host. */
export interface SshAccess {
  /** A password, or a private key. */
  secret: string
  /** Of the private key. */
  passphrase?: string
  /** As `ssh-ed25519 SHA256:…`; null for a host that is met for the first time. */
  hostKey: string | null
  /** Keeps the key of a host that was met for the first time, once it let us in. */
  pin?(hostKey: string): Promise<void>
}

/** How a host is entered, and what is said where it isn't. */
export interface SshEntry {
  access(key: string): SshAccess | Promise<SshAccess>
  /** Without requests the connection ends after so long. */
  idleMs?: number
  refused(): HostRefusal
  /** `shown`: null if it has no key of the kind that is pinned. */
  otherKey(shown: string | null): HostRefusal
}

/** With what was entered at sign-in. */
const byToken: SshEntry = {
  access(token) {
    const access = sftpAccess(token)
    if (!access) throw byToken.refused()
    return access
  },
  refused: () => hostRefusal(401, 'sftp.sign-in'),
  otherKey: (key) =>
    key === null ? hostRefusal(403, 'sftp.host-key.other-kind') : hostRefusal(403, 'sftp.host-key', { key }),
}

interface Opening {
  key: string
  session: Promise<Session>
  /** Once it is there. */
  ready: Session | null
}

/** One SSH connection to a host, opened when it is needed. */
export class SshLink {
  readonly place: SshPlace
  readonly #entry: SshEntry
  readonly #dial: Dial
  #opening: Opening | null = null
  #isClosed = false
  #refused: { key: string; until: number } | null = null

  constructor(place: SshPlace, dial: Dial, entry: SshEntry = byToken) {
    this.place = place
    this.#dial = dial
    this.#entry = entry
  }

  open({ key, signal }: Caller): Promise<Session> {
    if (this.#isClosed) return Promise.reject(new LineCut('The connection was closed.'))
    let opening = this.#opening
    if (opening && opening.key !== key) this.#drop()
    if (opening?.key !== key || opening.ready?.isOver) opening = this.#opening = this.#begin(key)
    return unlessAborted(opening.session, signal)
  }

  close(): void {
    this.#isClosed = true
    this.#drop()
  }

  #drop(): void {
    const opening = this.#opening
    this.#opening = null
    opening?.session.then((session) => session.end()).catch(() => undefined)
  }

  #begin(key: string): Opening {
    const opening: Opening = { key, session: this.#connect(key), ready: null }
    opening.session
      .then((session) => (opening.ready = session))
      .catch(() => {
        if (this.#opening === opening) this.#opening = null
      })
    return opening
  }

  async #connect(key: string): Promise<Session> {
    if (this.#refused?.key === key && performance.now() < this.#refused.until) throw this.#entry.refused()
    const access = await this.#entry.access(key)
    const shown: ShownKey = { name: null }
    const config = configOf(this.place, access, shown)
    const sock = await this.#dial(targetOf(this.place))
    const client = new ssh2.Client()
    try {
      await ready(client, { ...config, sock: gathered(sock) })
      const session = new Session(client, await startSftp(client), this.#entry.idleMs)
      if (access.hostKey === null && shown.name !== null) await access.pin?.(shown.name)
      return session
    } catch (error) {
      client.destroy()
      const isOther = access.hostKey !== null && shown.name !== null && shown.name !== access.hostKey
      throw isOther ? this.#entry.otherKey(shown.name) : this.#faultOf(error as SshError, key)
    }
  }

  #faultOf(error: SshError, key: string): Error {
    if (error instanceof HostRefusal || error instanceof LineCut) return error
    if (/no matching host key/i.test(error.message)) return this.#entry.otherKey(null)
    if (error.level === 'client-authentication' || /authentication failures/i.test(error.message)) {
      this.#refused = { key, until: performance.now() + REFUSED_MS }
      return this.#entry.refused()
    }
    if (error.level === 'client-timeout')
      return Object.assign(new Error(error.message), { code: 'ETIMEDOUT' })
    return error.level === 'client-socket' ? error : hostRefusal(502, 'sftp.no-ssh')
  }
}

/** What the host showed. */
interface ShownKey {
  name: string | null
}

type Config = ConnectConfig & { password?: string }

function configOf({ user }: SshPlace, access: SshAccess, shown: ShownKey): Config {
  const privateKey = isPrivateKey(access.secret) ? readableKey(access) : null
  const kind = access.hostKey?.split(' ')[0]
  return {
    ...{ username: user, readyTimeout: READY_MS, keepaliveInterval: ALIVE_MS },
    ...(privateKey === null ? { password: access.secret, tryKeyboard: true } : privateKey),
    // The kind that is pinned, though the host may have keys of several.
    ...(kind !== undefined && {
      algorithms: {
        serverHostKey: (kind === 'ssh-rsa'
          ? ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa']
          : [kind]) as NonNullable<NonNullable<ConnectConfig['algorithms']>['serverHostKey']>,
      },
    }),
    hostVerifier: (key: Buffer) => {
      shown.name = keyName(key)
      return access.hostKey === null || shown.name === access.hostKey
    },
  }
}

function readableKey({ secret, passphrase }: SshAccess): Pick<Config, 'privateKey' | 'passphrase'> {
  const privateKey = privateKeyIn(secret)
  if (privateKey === null) throw hostRefusal(422, 'sftp.key')
  const read = ssh2.utils.parseKey(privateKey, passphrase)
  if (!(read instanceof Error)) return { privateKey, ...(passphrase !== undefined && { passphrase }) }
  if (/no passphrase/i.test(read.message)) throw hostRefusal(422, 'sftp.passphrase')
  throw passphrase ? hostRefusal(422, 'sftp.passphrase.wrong') : hostRefusal(422, 'sftp.key')
}

/** Sends together what is written in one turn: SSH writes each packet in several parts. */
function gathered(socket: Socket): Socket {
  const write = socket.write.bind(socket)
  socket.write = ((...given: Parameters<typeof write>) => {
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    return write(...given)
  }) as Socket['write']
  return socket
}

type SshError = NodeJS.ErrnoException & { level?: string }

function ready(client: Client, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const { password } = config
    client.on('keyboard-interactive', (_name, _about, _language, prompts, finish) =>
      finish(prompts.map(({ echo }) => (echo ? '' : (password ?? '')))),
    )
    client.on('ready', resolve)
    client.on('error', reject)
    client.on('close', () => reject(new LineCut('The host closed the connection.')))
    client.connect(config)
    // Requests are small, and each waits for its answer.
    client.setNoDelay()
  })
}

const startSftp = (client: Client): Promise<SFTPWrapper> =>
  new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(hostRefusal(504, 'sftp.silent')), READY_MS)
    client.on('close', () => reject(new LineCut('The host closed the connection.')))
    client.sftp((error, sftp) => {
      clearTimeout(limit)
      if (error) reject(hostRefusal(403, 'sftp.no-sftp'))
      else resolve(sftp)
    })
  })
