import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { lstat, mkdtemp, rm, stat } from 'node:fs/promises'
import { connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BackgroundEndpoint } from './endpoint-file.ts'

/** macOS allows 104 bytes with the final zero, Linux 108. */
const LONGEST_PATH = 100

/** Characters; real ones have a few hundred. */
const LONGEST_MESSAGE = 100_000

/** JSON messages, one per line. Hangs up on anything else. */
export class LineChannel {
  readonly #socket: Socket
  #take: (message: unknown) => void = () => undefined

  constructor(socket: Socket) {
    this.#socket = socket
    let rest = ''
    // The close event follows.
    socket.setEncoding('utf8').on('error', () => undefined)
    socket.on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      try {
        for (const line of lines) this.#take(JSON.parse(line))
        if (rest.length > LONGEST_MESSAGE) this.hangUp()
      } catch {
        this.hangUp()
      }
    })
  }

  onMessage(take: (message: unknown) => void): void {
    this.#take = take
  }

  onEnd(ended: () => void): void {
    if (this.#socket.closed) ended()
    else this.#socket.once('close', ended)
  }

  send(message: unknown): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  hangUp(): void {
    this.#socket.destroy()
  }
}

/**
 * Listens where only this user can connect: in the data folder, or in a folder of its own if that one is shared or its
 * path too long. On Windows others can open the pipe for reading, so the service says nothing before it is asked.
 */
export async function listenForPanels(server: Server, dataDir: string): Promise<string> {
  const path = await freePath(server, dataDir)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Later errors, such as too many open files, only refuse one connection.
  server.on('error', reject)
  server.listen(path, resolve)
  await promise
  if (!isPipe) chmodSync(path, 0o600)
  return path
}

async function freePath(server: Server, dataDir: string): Promise<string> {
  // Unguessable, so that nobody can take the name before the service does.
  if (isPipe) return `\\\\.\\pipe\\wheelhouse-${randomUUID()}`
  const path = join(dataDir, 'background.sock')
  if (Buffer.byteLength(path) <= LONGEST_PATH && isPrivate(await stat(dataDir))) {
    await rm(path, { recursive: true, force: true })
    return path
  }
  const folder = await mkdtemp(join(process.env['XDG_RUNTIME_DIR'] || tmpdir(), 'wheelhouse-'))
  server.once('close', () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'socket')
}

/** Null unless the service listens, as a program of this user. Never rejects. */
export async function reachService({ socket: path, pid }: BackgroundEndpoint): Promise<LineChannel | null> {
  try {
    // Somebody else may have taken the address of a service that was killed.
    process.kill(pid, 0)
    if (!isPipe && !(isPrivate(await stat(dirname(path))) && isPrivate(await lstat(path)))) return null
    const socket = connect(path)
    const channel = new LineChannel(socket)
    await once(socket, 'connect')
    return channel
  } catch {
    return null
  }
}

const isPipe = process.platform === 'win32'

const isPrivate = ({ uid, mode }: { uid: number; mode: number }): boolean =>
  uid === process.getuid?.() && (mode & 0o077) === 0
