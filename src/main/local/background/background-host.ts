import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { UnauthenticatedSockets } from '../../../host/strangers.ts'
import type { ServiceLauncher, ServiceProcess, PanelMessage } from '../service-launcher.ts'
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

/** Unauthenticated connections at a time; authentication takes two messages. */
const STRANGERS_MOST = 256

export interface BackgroundHostPorts {
  launcher: ServiceLauncher
  /** The panel's folder, where endpoint and failures are published. */
  dataDir: string
  args: string[]
  version: string
}

/** Runs the local service without a panel; a panel of the same data folder can connect and take over control. */
export class BackgroundHost {
  readonly #ports: BackgroundHostPorts
  readonly #panels = new Set<LineChannel>()
  readonly #strangers = new UnauthenticatedSockets(STRANGERS_MOST)
  readonly #secret = newSecret()
  #service: ServiceProcess | null = null
  #server: Server | null = null
  /** The service's ready message; only the first panel gets its findings. */
  #ready: Record<string, unknown> | null = null
  #told = false

  constructor(ports: BackgroundHostPorts) {
    this.#ports = ports
  }

  /** Resolves with the exit code: 0 if told to stop, else 1, which makes the system restart it. Never rejects. */
  async run(): Promise<number> {
    const { launcher, args, dataDir } = this.#ports
    const ended = Promise.withResolvers<number>()
    try {
      forgetFailure(dataDir)
      const restore = await takeRestore(dataDir)
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

  /** Later calls are ignored: at session end panel and system both call it, and saving must not be cut short. */
  stop(startAgain = false): void {
    if (this.#told) return
    this.#told = true
    this.#service?.send({ type: 'stop', ...(startAgain && { startAgain }) })
  }

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
        // Only now: the panel signs in with that secret as soon as it knows the address.
        panel.send(this.#ready)
        this.#ready = { ...this.#ready, restored: null, orphans: [], emptied: [], leftovers: [] }
      })
    })
  }

  #passOn(message: unknown): PanelMessage['type'] | null {
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
      // A waiting panel reports its own timeout.
    }
  }
  #failed = false

  async #close(): Promise<void> {
    // First, so nobody new finds the service.
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

function listening(server: Server): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  // Later errors, such as too many open files, only refuse one connection.
  server.on('error', reject)
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  return promise
}
