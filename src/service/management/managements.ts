import type { Logger } from 'pino'
import type { AllServerFiles } from '../files/all-server-files.ts'
import type { Runtime } from '../runtime/types.ts'
import { readManagementSettings } from '../worlds/server-properties.ts'
import { type LinkTuning, ManagementLink } from './management-link.ts'

interface ManagementPorts {
  all: AllServerFiles
  runtime: Pick<Runtime, 'onStatus' | 'find'>
  log: Logger
  tuning: LinkTuning | undefined
}

/** Each link exists while its server is online and its settings enable the protocol. */
export class Managements {
  readonly #links = new Map<string, ManagementLink>()
  readonly #stop: () => void

  constructor({ all, runtime, log, tuning }: ManagementPorts) {
    this.#stop = runtime.onStatus((serverId, { status }) => {
      this.forget(serverId)
      if (status !== 'online') return
      const settings = () => readManagementSettings(all.of(serverId))
      const { online } = runtime.find(serverId)
      this.#links.set(
        serverId,
        new ManagementLink({ settings, online, log: log.child({ serverId }) }, tuning),
      )
    })
  }

  of(serverId: string): ManagementLink | null {
    const link = this.#links.get(serverId)
    return link?.isReady ? link : null
  }

  forget(serverId: string): void {
    this.#links.get(serverId)?.close()
    this.#links.delete(serverId)
  }

  close(): void {
    this.#stop()
    for (const serverId of [...this.#links.keys()]) this.forget(serverId)
  }
}
