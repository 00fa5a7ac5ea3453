import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { Strangers } from '../../../host/strangers.ts'
import type { ServiceLauncher, ServiceProcess, ToService } from '../service-launcher.ts'
import { receivePanel } from './handshake.ts'
import type { LineChannel } from './line-channel.ts'
import {
  removeEndpoint,
  type Failure,
  forgetFailure,
  newSecret,
  takeRestore,
  writeFailure,
  writeEndpoint,
} from './endpoint-file.ts'

/** Connections that have not proved to be a panel's, at a time. One proves itself within two messages. */
const STRANGERS_MOST = 256

export interface BackgroundHostPorts {
  launcher: ServiceLauncher
  /** The panel's folder; where the service is and what it could not do is told there. */
  dataDir: string
  /** Arguments of the service's command line. */
  args: string[]
  version: string
}

/**
 * The service of this computer without a panel: what systems start in the background. It holds the service as a panel
 * would, and lets a panel of the same data folder take its place for as long as that is open.
 */
export class BackgroundHost {
  readonly #ports: BackgroundHostPorts
  readonly #panels = new Set<LineChannel>()
  readonly #strangers = new Strangers(STRANGERS_MOST)
  readonly #secret = newSecret()
  #service: ServiceProcess | null = null
  #server: Server | null = null
  /** What the service said when it was ready; what it found in its folder is told to the first panel alone. */
  #ready: Record<string, unknown> | null = null
  #told = false

  constructor(ports: BackgroundHostPorts) {
    this.#ports = ports
  }

  /**
   * Runs the service until it ends. Resolves with the code this program is to end with: 0 where the service was told to
   * stop, else 1, at which the system starts it again. Never rejects.
   */
  async run(): Promise<number> {
    const { launcher, args, dataDir } = this.#ports
    const ended = Promise.withResolvers<number>()
    try {
      forgetFailure(dataDir)
      const restore = await takeRestore(dataDir)
      // It was told to end before it began.
      if (this.#told) return this.#isBroken ? 1 : 0
      const service = launcher.launch(restore ? [...args, '--restore-backup'] : args)
      this.#service = service
      service.onMessage((message) => {
        this.#heard(message).catch((error: unknown) => {
          this.#tellFailure(failed(error))
          this.stop()
        })
      })
      service.onExit(({ code, lastWords }) => {
        if (!this.#ready && !this.#told)
          this.#tellFailure(failed(lastWords || `It ended with code ${code}.`), true)
        ended.resolve(this.#told && code === 0 && !this.#isBroken ? 0 : 1)
      })
    } catch (error) {
      this.#tellFailure(failed(error))
      ended.resolve(1)
    }
    const code = await ended.promise
    await this.#close()
    return code
  }

  /**
   * Stops the service in good order: its servers save their worlds. A second time changes nothing: where a session ends,
   * the panel and the system each say so, and neither wants saving cut short.
   */
  stop(startAgain = false): void {
    if (this.#told) return
    this.#told = true
    this.#service?.send({ type: 'stop', ...(startAgain && { startAgain }) })
  }

  /** An error of this program that nobody caught: told to a panel that waits, and the service is stopped in good order. */
  giveUp(error: Error): void {
    if (this.#isBroken) return
    this.#isBroken = true
    this.#tellFailure(failed(error))
    this.stop()
  }
  #isBroken = false

  async #heard(message: unknown): Promise<void> {
    if (typeof message !== 'object' || message === null || !('type' in message)) return
    if (message.type === 'failed') this.#tellFailure(message as Failure)
    if (message.type !== 'ready' || this.#server) return
    const server = createServer((socket) => this.#receive(socket))
    this.#server = server
    const port = await listening(server)
    this.#ready = { ...message }
    await writeEndpoint(this.#ports.dataDir, {
      ...{ port, pid: process.pid, secret: this.#secret, version: this.#ports.version },
    })
  }

  #receive(socket: Socket): void {
    const { port } = this.#server?.address() as AddressInfo
    this.#strangers.came(socket)
    receivePanel(socket, { port, secret: this.#secret }, (panel) => {
      this.#strangers.isKnown(socket)
      this.#panels.add(panel)
      panel.onEnd(() => this.#panels.delete(panel))
      let isTold = false
      panel.onMessage((message) => {
        if (this.#passOn(message) !== 'local-secret' || isTold) return
        isTold = true
        // Not before: it signs in with that secret as soon as it knows where.
        panel.send(this.#ready)
        this.#ready = { ...this.#ready, restored: null, orphans: [], emptied: [], leftovers: [] }
      })
    })
  }

  /** Answers what was passed on. */
  #passOn(message: unknown): ToService['type'] | null {
    const { type, secret, startAgain } = (message ?? {}) as {
      type?: unknown
      secret?: unknown
      startAgain?: unknown
    }
    if (type === 'stop') this.stop(startAgain === true)
    if (type !== 'local-secret' || typeof secret !== 'string') return null
    this.#service?.send({ type, secret })
    return type
  }

  #tellFailure(failure: Failure, unlessTold = false): void {
    if (unlessTold && this.#failed) return
    this.#failed = true
    try {
      writeFailure(this.#ports.dataDir, failure)
    } catch {
      // A panel that waits says that it waited too long.
    }
  }
  #failed = false

  async #close(): Promise<void> {
    // First: who looks for the service from here on does not find it.
    await removeEndpoint(this.#ports.dataDir, this.#secret)
    this.#server?.close()
    for (const panel of this.#panels) panel.hangUp()
  }
}

const failed = (why: unknown): Failure => ({
  type: 'failed',
  code: 'background',
  message: (why instanceof Error ? why.message : String(why)).slice(0, 4000),
  values: {},
})

/** Listens on a free port of this computer alone; answers which. */
function listening(server: Server): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  // One that comes later, as where too many files are open, refuses one connection.
  server.on('error', reject)
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  return promise
}
