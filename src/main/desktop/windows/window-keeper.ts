import type { Settings } from '../../../contract/bridge/values.ts'
import type { WindowState } from './window-state.ts'

/** A window that is being moved is written down once it has rested, at most so often, in ms. */
const REST_MS = 1000

export interface WindowKeeperPorts {
  state: WindowState
  /** Writes the state for the next start. */
  write: (state: WindowState) => void
  /** Calls once after so many ms; answers how to call that off. */
  after: (ms: number, run: () => void) => () => void
}

/** Keeps how the windows are, all the time: a program that crashes or is killed opens again as it was. */
export class WindowKeeper {
  readonly state: WindowState
  readonly #ports: WindowKeeperPorts
  #written: string
  #callOff: (() => void) | null = null

  constructor(ports: WindowKeeperPorts) {
    this.#ports = ports
    this.state = ports.state
    this.#written = JSON.stringify(ports.state)
  }

  /** Takes in what of the settings is wanted before they can be read. */
  look({ theme, language }: Pick<Settings, 'theme' | 'language'>): void {
    Object.assign(this.state, { theme, language })
    this.#write()
  }

  /** Keeps soon what `take` then puts into the state. */
  soon(take: (state: WindowState) => void): void {
    this.#callOff?.()
    this.#callOff = this.#ports.after(REST_MS, () => {
      this.#callOff = null
      take(this.state)
      this.now()
    })
  }

  /** Keeps the state as it is now, where it has changed. What was to be taken in soon is not. */
  now(): void {
    this.#callOff?.()
    this.#callOff = null
    this.#write()
  }

  #write(): void {
    const text = JSON.stringify(this.state)
    if (text === this.#written) return
    this.#written = text
    this.#ports.write(this.state)
  }
}
