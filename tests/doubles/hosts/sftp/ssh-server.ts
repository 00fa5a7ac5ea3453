import { once } from 'node:events'
import ssh2, { type Connection, type FileEntry, type SFTPWrapper } from 'ssh2'
import { newSshKey } from '../../../../src/hosts/base/new-ssh-key.ts'

// What the library's types lack.
declare module 'ssh2' {
  interface Connection {
    setNoDelay(noDelay: boolean): this
  }
}

export const USER = 'ann.abc123'
export const PASSWORD = 'pässword with spaces'

const { STATUS_CODE } = ssh2.utils.sftp
const FOLDER = { mode: 0o40755, uid: 0, gid: 0, size: 0, atime: 1_700_000_000, mtime: 1_700_000_000 }
const FILE = { ...FOLDER, mode: 0o100644, size: 5 }

/** A host as it shouldn't be; `names` come for every folder, and are folders if they end so. */
export class OddSshServer {
  names: string[] = []
  isEndless = false
  /** Where folders in the first one are. */
  isEndlessBelow = false
  /** By their paths: what their sizes are said to be, and their bytes, over and over if they are `endless`. */
  readonly files = new Map<string, { size: number; bytes: Buffer; isEndless?: boolean }>()
  isSilent = false
  unanswered = 0
  /** Asks for the password as a question, as hosts with PAM do. */
  asks = false
  port = 0
  /** Passwords that were refused. */
  refused = 0
  readonly #server: ssh2.Server
  readonly #connections = new Set<Connection>()

  private constructor() {
    const { private: hostKey } = newSshKey('machine')
    this.#server = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
      this.#connections.add(connection)
      // As sshd and Wings.
      connection.setNoDelay(true)
      connection.on('error', () => undefined).on('close', () => this.#connections.delete(connection))
      connection.on('authentication', (asked) => {
        if (asked.username !== USER) return asked.reject([])
        if (asked.method === 'password' && !this.asks) {
          if (asked.password === PASSWORD) return asked.accept()
          this.refused++
          return asked.reject(['password'])
        }
        if (asked.method === 'keyboard-interactive' && this.asks)
          return asked.prompt([{ prompt: 'Password: ', echo: false }], ([answer]) =>
            answer === PASSWORD ? asked.accept() : asked.reject([]),
          )
        asked.reject([this.asks ? 'keyboard-interactive' : 'password'])
      })
      connection.on('session', (accept) =>
        accept()
          .on('sftp', (begin) => this.#serve(begin()))
          // A line is done at once, and says itself.
          .on('exec', (begin, _refuse, { command }) => {
            const channel = begin()
            channel.write(command)
            channel.exit(0)
            channel.end()
          }),
      )
    })
  }

  static async open(): Promise<OddSshServer> {
    const host = new OddSshServer()
    host.#server.listen(0, '127.0.0.1')
    await once(host.#server, 'listening')
    host.port = (host.#server.address() as { port: number }).port
    return host
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.end()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(sftp: SFTPWrapper): void {
    const folders = new Map<string, string>()
    const fileOf = (opened: Buffer) => this.files.get(opened.toString())
    const read = new Set<string>()
    sftp.on('error', () => undefined)
    sftp.on('REALPATH', (id) => sftp.name(id, [entry('/', FOLDER)]))
    for (const asked of ['STAT', 'LSTAT'] as const)
      sftp.on(asked, (id: number, path: string) => {
        const file = this.files.get(path)
        if (file) sftp.attrs(id, { ...FILE, size: file.size })
        else if (path === '.' || path.endsWith('folder')) sftp.attrs(id, FOLDER)
        else sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
      })
    sftp.on('OPENDIR', (id, path) => {
      folders.set(`${folders.size}`, path)
      sftp.handle(id, Buffer.from(`${folders.size - 1}`))
    })
    sftp.on('READDIR', (id, folder) => {
      if (this.isSilent) return void this.unanswered++
      const isEndless = this.isEndless || (this.isEndlessBelow && folders.get(folder.toString()) !== '.')
      if (read.has(folder.toString()) && !isEndless) return sftp.status(id, STATUS_CODE.EOF)
      read.add(folder.toString())
      sftp.name(
        id,
        this.names.map((name) => entry(name, name.endsWith('folder') ? FOLDER : FILE)),
      )
    })
    sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK))
    sftp.on('OPEN', (id, path) => {
      if (this.files.has(path)) sftp.handle(id, Buffer.from(path))
      else sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
    })
    sftp.on('FSTAT', (id, opened) => sftp.attrs(id, { ...FILE, size: fileOf(opened)?.size ?? 0 }))
    sftp.on('READ', (id, opened, at, length) => {
      const { bytes = Buffer.alloc(0), isEndless = false } = fileOf(opened) ?? {}
      const part = isEndless ? bytes.subarray(0, length) : bytes.subarray(at, at + length)
      if (part.length === 0) sftp.status(id, STATUS_CODE.EOF)
      else sftp.data(id, part)
    })
  }
}

const entry = (filename: string, attrs: FileEntry['attrs']): FileEntry => ({ filename, longname: '', attrs })
