import type { Settings } from '../../../contract/bridge/values.ts'
import type { WindowState } from './window-state.ts'

const REST_MS = 1000

export interface WindowKeeperPorts {
  state: WindowState
  write: (state: WindowState) => void
  after: (ms: number, run: () => void) => () => void
}

/** Saves window state continuously, so it survives crashes. */
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

  /** Settings needed before the database can be read. */
  look({ theme, language }: Pick<Settings, 'theme' | 'language'>): void {
    Object.assign(this.state, { theme, language })
    this.#write()
  }

  soon(take: (state: WindowState) => void): void {
    this.#callOff?.()
    this.#callOff = this.#ports.after(REST_MS, () => {
      this.#callOff = null
      take(this.state)
      this.now()
    })
  }

  /** Saves now if changed; cancels a pending `soon`. */
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
