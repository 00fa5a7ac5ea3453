import { createServer, type Server } from 'node:net'
import type { ServiceLauncher, ServiceProcess, PanelMessage } from '../service-launcher.ts'
import { LineChannel, listenForPanels } from './background-socket.ts'
import {
  removeEndpoint,
  type Failure,
  forgetFailure,
  takeRestore,
  writeFailure,
  writeEndpoint,
} from './endpoint-file.ts'

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
    this.#server = createServer((socket) => this.#receive(new LineChannel(socket)))
    const { dataDir, version } = this.#ports
    const socket = await listenForPanels(this.#server, dataDir)
    this.#ready = { ...message }
    writeEndpoint(dataDir, { socket, pid: process.pid, version })
  }

  #receive(panel: LineChannel): void {
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
    const closed = new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(null)))
    for (const panel of this.#panels) panel.hangUp()
    await closed
    await removeEndpoint(this.#ports.dataDir, process)
  }
}

const failed = (why: unknown): Failure => ({
  type: 'failed',
  code: 'background',
  message: (why instanceof Error ? why.message : String(why)).slice(0, 4000),
  values: {},
})
