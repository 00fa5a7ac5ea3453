/** What a person says to servers that run: `hand-over` has them run in the background from now on. */
export type QuitAnswer = 'stop' | 'hand-over' | 'stay'

/** What quitting needs of the rest. */
export interface QuittingPorts {
  /** How many servers of this computer run now; null where that cannot be said. */
  running: () => Promise<number | null>
  /** Asks a person what becomes of the servers. */
  ask: (running: number | null) => Promise<QuitAnswer>
  /** A person said no: what is left of the program has to be within reach. */
  stay: () => void
  /** Whether servers stay in the background when the program ends. */
  keeps: () => Promise<boolean>
  /** Servers are about to be stopped, which takes its time: whoever looks at a window is told. */
  closing: (how: 'stop' | 'hand-over') => void
  /** Saves what waits, and stops servers: those in the background too, or to start them there, where `how` says so. */
  close: (how?: 'stop' | 'hand-over') => Promise<void>
  /** Told what of it did not work; the program ends all the same. */
  failed: (error: unknown) => void
  /**
   * Ends the program, told who wanted that; nothing is asked any more. `keeping`: a person, and servers run on, with the
   * files of this version.
   */
  exit: (by: 'person' | 'system' | 'keeping') => void
}

type State = 'open' | 'asking' | 'closing' | 'closed'

/** The way out: local servers are asked about and stopped properly before the program ends. */
export class Quitting {
  #state: State = 'open'
  #closing: Promise<void> | null = null
  readonly #ports: QuittingPorts

  constructor(ports: QuittingPorts) {
    this.#ports = ports
  }

  /** True once everything is stopped: what wants to end may do so. */
  get closed(): boolean {
    return this.#state === 'closed'
  }

  /** True while it is stopped. */
  get isClosing(): boolean {
    return this.#state === 'closing'
  }

  /** A person wants to quit. Does nothing where that is under way. */
  async request(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'asking'
    if (await this.#ports.keeps().catch(() => false)) {
      if (this.#state === 'asking') await this.#close('keeping')
      return
    }
    // A panel that did not open has no servers that run.
    const running = await this.#ports.running().catch(() => 0)
    const answer = running === 0 ? 'stop' : await this.#ports.ask(running)
    // The system may have decided meanwhile.
    if (this.#state === 'asking') {
      if (answer === 'hand-over') return await this.#close('keeping', answer)
      if (answer === 'stop') return await this.#close('person', undefined, running !== 0)
      this.#state = 'open'
      this.#ports.stay()
    }
  }

  /** The system wants us to end: nobody is asked, servers are stopped all the same. */
  async demand(): Promise<void> {
    if (this.#state === 'open' || this.#state === 'asking') await this.#close('system')
  }

  /** A person has agreed already, as to an update: servers are stopped, and nobody is asked once more. */
  async proceed(): Promise<void> {
    if (this.#state === 'open' || this.#state === 'asking') await this.#close('person', 'stop')
  }

  /** An error that nobody caught: servers are stopped, and the caller ends the program. Rejects where they were not. */
  async giveUp(how?: 'stop' | 'hand-over'): Promise<void> {
    this.#state = 'closing'
    this.#closing ??= this.#ports.close(how)
    await this.#closing.finally(() => (this.#state = 'closed'))
  }

  /** @param waits whether there is something to wait for, as far as that is known */
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
