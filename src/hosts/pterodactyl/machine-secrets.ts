import { z } from 'zod'
import type { HostMachine } from '../../contract/bridge/machine-calls.ts'
import type { HostSecrets } from '../base/adapter.ts'

const MACHINES_MOST = 200

const HostKeys = z.record(z.string(), z.string())
type HostKeys = z.output<typeof HostKeys>

/** The keys that a panel's machines showed, and the password that opens them where no key of ours does. */
export class MachineSecrets {
  readonly #secrets: HostSecrets
  #changes: Promise<unknown> = Promise.resolve()
  #refused: string | null = null

  constructor(secrets: HostSecrets) {
    this.#secrets = secrets
  }

  async hostKeys(): Promise<HostKeys> {
    return HostKeys.safeParse(jsonOf(await this.#secrets.read('host-keys'))).data ?? {}
  }

  async hostKey(machine: string): Promise<string | null> {
    return (await this.hostKeys())[machine] ?? null
  }

  /** Those that have a key keep it. */
  pin(...shown: HostMachine[]): Promise<void> {
    return this.#change((kept) => {
      const met = shown.filter(({ machine }) => kept[machine] === undefined)
      const all = [...Object.entries(kept), ...met.map(({ machine, hostKey }) => [machine, hostKey] as const)]
      return Object.fromEntries(all.slice(-MACHINES_MOST))
    })
  }

  forget(machine: string): Promise<void> {
    return this.#change(({ [machine]: _, ...others }) => others)
  }

  /** Null if there is none that may work. */
  async password(): Promise<string | null> {
    const kept = await this.#secrets.read('machine-password')
    return kept === this.#refused ? null : kept
  }

  async passwordState(): Promise<'none' | 'kept' | 'refused'> {
    if ((await this.#secrets.read('machine-password')) === null) return 'none'
    return (await this.password()) === null ? 'refused' : 'kept'
  }

  /** Null forgets it. False, and nothing is kept, where there is no keychain. */
  keepPassword(password: string | null): Promise<boolean> {
    this.#refused = null
    return this.#secrets.write('machine-password', password)
  }

  /** Never retried: hosts lock accounts after a few failures. */
  refuse(password: string): void {
    this.#refused = password
  }

  #change(next: (kept: HostKeys) => HostKeys): Promise<void> {
    const change = this.#changes.then(async () => {
      await this.#secrets.write('host-keys', JSON.stringify(next(await this.hostKeys())))
    })
    this.#changes = change.catch(() => undefined)
    return change
  }
}

export function jsonOf(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
