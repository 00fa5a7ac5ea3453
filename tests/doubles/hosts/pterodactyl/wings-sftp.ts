import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import ssh2, { type AuthContext, type Connection, type FileEntry, type SFTPWrapper } from 'ssh2'
import { newSshKey } from '../../../../src/hosts/base/new-ssh-key.ts'
import type { PterodactylPanel } from './panel.ts'
import type { DoubleServer } from './routes.ts'

const { STATUS_CODE: CODE, OPEN_MODE } = ssh2.utils.sftp
const READ_MOST = 32 * 1024

interface Handle {
  file: string
  /** Of a folder, what wasn't told yet. */
  entries: FileEntry[]
  descriptor: number
}

/**
 * The SFTP server in Wings, from the sources of 1.11 (sftp/handler.go): whoever opens a file for writing empties it,
 * renaming never replaces, a folder is deleted with all that is in it, and of attributes only permissions are taken.
 */
export class WingsSftp {
  panel: PterodactylPanel | null = null
  isReadOnly = false
  /** Of the account; null where machines take keys alone. */
  password: string | null = null
  /** Passwords that came. */
  readonly passwords: string[] = []
  port = 0
  /** User names that were let in. */
  readonly entered: string[] = []
  /** Paths that were opened for writing. */
  readonly opened: string[] = []
  #server: ssh2.Server | null = null
  readonly #connections = new Set<Connection>()

  static async open(): Promise<WingsSftp> {
    const sftp = new WingsSftp()
    await sftp.start()
    return sftp
  }

  /** With a host key of its own, on the port it had. */
  async start(): Promise<void> {
    const { private: hostKey } = newSshKey('machine')
    const server = (this.#server = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
      connection.setNoDelay(true)
      this.#connections.add(connection)
      let folder = ''
      connection.on('error', () => undefined).on('close', () => this.#connections.delete(connection))
      connection.on('authentication', (asked) => {
        const server = this.#serverOf(asked)
        if (!server) return asked.reject(this.password === null ? ['publickey'] : ['publickey', 'password'])
        folder = server.folder
        if (asked.method === 'password' || (asked.method === 'publickey' && asked.signature))
          this.entered.push(asked.username)
        asked.accept()
      })
      connection.on('session', (accept) => accept().on('sftp', (begin) => this.#serve(begin(), folder)))
    }))
    server.listen(this.port, '127.0.0.1')
    await once(server, 'listening')
    this.port = (server.address() as { port: number }).port
  }

  /** Its port is closed then. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = null
    this.cut()
    if (server) await new Promise((resolve) => server.close(resolve))
  }

  cut(): void {
    for (const connection of this.#connections) connection.end()
  }

  #serverOf(asked: AuthContext): DoubleServer | null {
    const [, user, short] = /^(.+)\.([a-z0-9]{8})$/i.exec(asked.username) ?? []
    const server = this.panel?.servers.find(({ uuid }) => uuid.slice(0, 8) === short)
    if (user !== 'steve' || !server || server.suspended || server.status !== null) return null
    if (![...server.permissions, ...(server.owner ? ['*'] : [])].some((one) => /^(\*|file\.sftp)$/.test(one)))
      return null
    if (asked.method === 'password') {
      this.passwords.push(asked.password)
      return asked.password === this.password ? server : null
    }
    if (asked.method !== 'publickey') return null
    const fingerprint = createHash('sha256').update(asked.key.data).digest('base64').replace(/=+$/, '')
    if (!this.panel!.sshKeys.some((key) => key.fingerprint === fingerprint)) return null
    if (!asked.signature) return server
    const key = ssh2.utils.parseKey(`${asked.key.algo} ${asked.key.data.toString('base64')}`)
    const isTheirs =
      !(key instanceof Error) && key.verify(asked.blob!, asked.signature, asked.hashAlgo) === true
    return isTheirs ? server : null
  }

  #serve(sftp: SFTPWrapper, root: string): void {
    const at = (given: string) => path.join(root, path.posix.join('/', given))
    sftp.on('error', () => undefined)
    sftp.on('REALPATH', (id, given) => {
      const clean = path.posix.join('/', given)
      sftp.name(id, [{ filename: clean, longname: clean, attrs: attributesOf(statSync(root)) }])
    })
    for (const asked of ['STAT', 'LSTAT'] as const)
      sftp.on(asked, (id: number, given: string) =>
        answer(sftp, id, () => sftp.attrs(id, attributesOf(statSync(at(given))))),
      )
    this.#serveHandles(sftp, at)
    this.#serveChanges(sftp, at)
  }

  #serveHandles(sftp: SFTPWrapper, at: (given: string) => string): void {
    const handles = new Map<string, Handle>()
    let last = 0
    const hand = (id: number, handle: Handle) => {
      handles.set(String(++last), handle)
      sftp.handle(id, Buffer.from(String(last)))
    }
    const held = (handle: Buffer) => handles.get(String(handle))!
    sftp.on('close', () => {
      for (const { descriptor } of handles.values()) if (descriptor >= 0) closeSync(descriptor)
      handles.clear()
    })
    sftp.on('OPEN', (id, given, flags) => {
      const file = at(given)
      const writes = (flags & OPEN_MODE.WRITE) !== 0
      if (writes && this.isReadOnly) return sftp.status(id, CODE.OP_UNSUPPORTED)
      answer(sftp, id, () => {
        if (writes) {
          mkdirSync(path.dirname(file), { recursive: true })
          this.opened.push(given)
        }
        hand(id, { file, entries: [], descriptor: openSync(file, writes ? 'w+' : 'r') })
      })
    })
    sftp.on('FSTAT', (id, handle) =>
      answer(sftp, id, () => sftp.attrs(id, attributesOf(statSync(held(handle).file)))),
    )
    sftp.on('READ', (id, handle, offset, length) =>
      answer(sftp, id, () => {
        const bytes = Buffer.alloc(Math.min(length, READ_MOST))
        const read = readSync(held(handle).descriptor, bytes, 0, bytes.length, offset)
        if (read === 0) sftp.status(id, CODE.EOF)
        else sftp.data(id, bytes.subarray(0, read))
      }),
    )
    sftp.on('WRITE', (id, handle, offset, data) =>
      answer(sftp, id, () => {
        writeSync(held(handle).descriptor, data, 0, data.length, offset)
        sftp.status(id, CODE.OK)
      }),
    )
    sftp.on('CLOSE', (id, handle) => {
      const { descriptor } = held(handle)
      handles.delete(String(handle))
      if (descriptor >= 0) closeSync(descriptor)
      sftp.status(id, CODE.OK)
    })
    sftp.on('OPENDIR', (id, given) =>
      answer(sftp, id, () => hand(id, { file: at(given), entries: entriesIn(at(given)), descriptor: -1 })),
    )
    sftp.on('READDIR', (id, handle) => {
      const entries = held(handle).entries.splice(0, 100)
      if (entries.length === 0) sftp.status(id, CODE.EOF)
      else sftp.name(id, entries)
    })
  }

  #serveChanges(sftp: SFTPWrapper, at: (given: string) => string): void {
    const change = (id: number, work: () => void) => {
      if (this.isReadOnly) return sftp.status(id, CODE.OP_UNSUPPORTED)
      answer(sftp, id, () => {
        work()
        sftp.status(id, CODE.OK)
      })
    }
    sftp.on('RENAME', (id, from, to) =>
      change(id, () => {
        if (statSync(at(to), { throwIfNoEntry: false })) throw new Error('exists')
        mkdirSync(path.dirname(at(to)), { recursive: true })
        renameSync(at(from), at(to))
      }),
    )
    sftp.on('MKDIR', (id, given) => change(id, () => mkdirSync(at(given), { recursive: true })))
    sftp.on('REMOVE', (id, given) => change(id, () => rmSync(at(given), { recursive: true })))
    sftp.on('RMDIR', (id, given) => change(id, () => rmSync(at(given), { recursive: true })))
    sftp.on('SETSTAT', (id, given, { mode = 0 }) =>
      change(id, () => chmodSync(at(given), mode & 0o777 || 0o644)),
    )
  }
}

function answer(sftp: SFTPWrapper, id: number, work: () => void): void {
  try {
    work()
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    sftp.status(id, isMissing ? CODE.NO_SUCH_FILE : CODE.FAILURE)
  }
}

const attributesOf = ({ mode, size, atimeMs, mtimeMs }: Stats) => ({
  ...{ mode, uid: 0, gid: 0, size },
  ...{ atime: Math.trunc(atimeMs / 1000), mtime: Math.trunc(mtimeMs / 1000) },
})

const entriesIn = (folder: string): FileEntry[] =>
  readdirSync(folder).map((filename) => ({
    ...{ filename, longname: filename },
    attrs: attributesOf(statSync(path.join(folder, filename))),
  }))
