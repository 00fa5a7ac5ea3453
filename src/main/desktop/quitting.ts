/** `hand-over`: running servers continue in the background. */
export type QuitAnswer = 'stop' | 'hand-over' | 'stay'

export interface QuittingPorts {
  running: () => Promise<number | null>
  ask: (running: number | null) => Promise<QuitAnswer>
  /** The user canceled: make sure the program is within reach. */
  stay: () => void
  keeps: () => Promise<boolean>
  /** Stopping servers takes time, so windows announce it. */
  closing: (how: 'stop' | 'hand-over') => void
  /** Saves pending data and stops servers; `stop` includes those in the background, `hand-over` restarts them there. */
  close: (how?: 'stop' | 'hand-over') => Promise<void>
  failed: (error: unknown) => void
  /** Exits without asking. `keeping`: the user quit, and servers continue with this version's files. */
  exit: (by: 'person' | 'system' | 'keeping') => void
}

type State = 'open' | 'asking' | 'closing' | 'closed'

export class QuitSequence {
  #state: State = 'open'
  #closing: Promise<void> | null = null
  readonly #ports: QuittingPorts

  constructor(ports: QuittingPorts) {
    this.#ports = ports
  }

  get closed(): boolean {
    return this.#state === 'closed'
  }

  get isClosing(): boolean {
    return this.#state === 'closing'
  }

  async request(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'asking'
    if (await this.#ports.keeps().catch(() => false)) {
      if (this.#state === 'asking') await this.#close('keeping')
      return
    }
    // A panel that failed to open runs no servers.
    const running = await this.#ports.running().catch(() => 0)
    const answer = running === 0 ? 'stop' : await this.#ports.ask(running)
    // The system may have ended us meanwhile.
    if (this.#state === 'asking') {
      if (answer === 'hand-over') return await this.#close('keeping', answer)
      if (answer === 'stop') return await this.#close('person', undefined, running !== 0)
      this.#state = 'open'
      this.#ports.stay()
    }
  }

  /** The system demands it: stop servers without asking. */
  async demand(): Promise<void> {
    if (this.#state === 'open' || this.#state === 'asking') await this.#close('system')
  }

  /** The user already agreed, as for an update. */
  async proceed(): Promise<void> {
    if (this.#state === 'open' || this.#state === 'asking') await this.#close('person', 'stop')
  }

  /** After an uncaught error: stops servers, then the caller exits. Rejects if they were not stopped. */
  async giveUp(how?: 'stop' | 'hand-over'): Promise<void> {
    this.#state = 'closing'
    this.#closing ??= this.#ports.close(how)
    await this.#closing.finally(() => (this.#state = 'closed'))
  }

  async #close(
    by: 'person' | 'system' | 'keeping',
    how?: 'stop' | 'hand-over',
    waits = by !== 'keeping' || how !== undefined,
  ): Promise<void> {
    if (waits) this.#ports.closing(how ?? 'stop')
    await this.giveUp(how).catch((error: unknown) => this.#ports.failed(error))
    this.#ports.exit(by)
  }
}
