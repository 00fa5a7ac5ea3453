import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceLauncher, ServiceProcess, PanelMessage } from '../service-launcher.ts'
import type { BackgroundUnit } from './system-unit.ts'
import { type LineChannel, reachService } from './background-socket.ts'
import { askToRestore, type Failure, forgetFailure, readFailure, readEndpoint } from './endpoint-file.ts'

const LOOK_MS = 100
/** Time for a stopped background service to disappear, in ms; after that its files can be replaced. */
const GONE_MS = 10_000
/** Time for the system to end it before we kill the process, in ms. */
const KILL_MS = 2_000

export interface BackgroundLauncherPorts {
  child: ServiceLauncher
  dataDir: string
  unit: BackgroundUnit | null
  keeps: () => Promise<boolean>
}

/** A service already running in the background is taken over, whatever the current choice. */
export const backgroundLauncher = (ports: BackgroundLauncherPorts): ServiceLauncher => ({
  launch: (args) => new BackgroundProcess(ports, args),
})

type Exit = { code: number | null; lastWords: string }

class BackgroundProcess implements ServiceProcess {
  readonly #ports: BackgroundLauncherPorts
  readonly #messages = new Set<(message: unknown) => void>()
  readonly #exits = new Set<(how: Exit) => void>()
  #unsent: PanelMessage[] = []
  #child: ServiceProcess | null = null
  #channel: LineChannel | null = null
  #pid = 0
  #foundVersion: string | null = null
  #isOver = false

  constructor(ports: BackgroundLauncherPorts, args: string[]) {
    this.#ports = ports
    this.#begin(args).catch((error: unknown) =>
      this.#ended({ code: null, lastWords: error instanceof Error ? error.message : String(error) }),
    )
  }

  get outlives(): boolean {
    return this.#channel !== null
  }

  get foundVersion(): string | null {
    return this.#foundVersion
  }

  send(message: PanelMessage): void {
    if (this.#child) this.#child.send(message)
    else if (this.#channel) this.#channel.send(message)
    else this.#unsent.push(message)
  }

  onMessage(listener: (message: unknown) => void) {
    this.#messages.add(listener)
    return () => void this.#messages.delete(listener)
  }

  onExit(listener: (how: Exit) => void) {
    this.#exits.add(listener)
    return () => void this.#exits.delete(listener)
  }

  kill(): void {
    this.#isOver = true
    this.#child?.kill()
    if (this.#channel) void this.#killBackground(this.#channel, this.#pid)
  }

  /**
   * Through the system, or by pid if the system no longer knows it. The channel is left open, because its end shows
   * that the service has ended.
   */
  async #killBackground(channel: LineChannel, pid: number): Promise<void> {
    const ended = new Promise<'ended'>((resolve) => channel.onEnd(() => resolve('ended')))
    await this.#ports.unit?.kill().catch(() => undefined)
    if ((await Promise.race([ended, sleep(KILL_MS)])) === 'ended') return
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Already gone, or not ours.
    }
  }

  leave(): void {
    this.#isOver = true
    this.#exits.clear()
    if (this.#child) this.#child.kill()
    this.#channel?.hangUp()
  }

  async #begin(args: string[]): Promise<void> {
    const { child, dataDir, unit, keeps } = this.#ports
    if (await this.#takeOver((version) => (this.#foundVersion = version))) return
    if (!unit || !(await keeps())) {
      if (this.#isOver) return
      return this.#use(child.launch(args))
    }
    forgetFailure(dataDir)
    askToRestore(dataDir, args.includes('--restore-backup'))
    await unit.start()
    // The launching side has a timeout and kills it.
    while (!this.#isOver && !(await this.#takeOver())) {
      const failure = await readFailure(dataDir)
      if (failure) return this.#failed(failure)
      await sleep(LOOK_MS)
    }
  }

  async #takeOver(found?: (version: string) => void): Promise<boolean> {
    const endpoint = await readEndpoint(this.#ports.dataDir)
    const channel = endpoint && (await reachService(endpoint))
    if (!channel || !endpoint) return false
    if (this.#isOver) {
      channel.hangUp()
      return true
    }
    this.#channel = channel
    this.#pid = endpoint.pid
    found?.(endpoint.version)
    channel.onEnd(() => {
      void isGone(endpoint.pid).then(() => this.#ended({ code: null, lastWords: '' }))
    })
    for (const message of this.#unsent.splice(0)) channel.send(message)
    channel.onMessage((message) => this.#heard(message))
    return true
  }

  #use(child: ServiceProcess): void {
    this.#child = child
    child.onMessage((message) => this.#heard(message))
    child.onExit((how) => this.#ended(how))
    for (const message of this.#unsent.splice(0)) child.send(message)
  }

  #failed(failure: Failure): void {
    this.#heard(failure)
    this.#ended({ code: 1, lastWords: failure.message })
  }

  #heard(message: unknown): void {
    for (const listener of this.#messages) listener(message)
  }

  #ended(how: Exit): void {
    for (const listener of this.#exits) listener(how)
    this.#exits.clear()
  }
}

/** Bounded: the pid may be reused. */
async function isGone(pid: number): Promise<void> {
  for (let waited = 0; waited < GONE_MS; waited += LOOK_MS) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await sleep(LOOK_MS)
  }
}
