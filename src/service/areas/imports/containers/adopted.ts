import type { Logger } from 'pino'
import type { AllServerFiles } from '../../../files/all-server-files.ts'
import type { ForeignContainer } from '../../../runtime/containers/foreign-container.ts'
import type { Runtime } from '../../../runtime/types.ts'
import type { ServerRow } from '../../../store/servers.ts'
import type { Store } from '../../../store/store.ts'
import { readSoftware } from './container-facts.ts'

export interface AdoptedPorts {
  store: Pick<Store, 'servers'>
  runtime: Pick<Runtime, 'foreign' | 'onStatus' | 'tellChanged'>
  files: Pick<AllServerFiles, 'of'>
  register: { changed(row: ServerRow): void }
  log: Logger
}

const OF_A_CONTAINER = ['servers.list', 'servers.read', 'servers.read-config', 'software.read'] as const

/** Keeps what is known of adopted servers as their containers say it: they can be made anew, and choose versions. */
export class AdoptedFacts {
  readonly #ports: AdoptedPorts
  readonly #containers = new Map<string, ForeignContainer>()

  constructor(ports: AdoptedPorts) {
    this.#ports = ports
    const { runtime, log } = ports
    const refresh = (serverId: string) =>
      void this.refresh(serverId).catch((error: unknown) =>
        log.warn({ err: error, serverId }, 'what a container says of its server could not be kept'),
      )
    runtime.onStatus((serverId, { status }) => status === 'online' && refresh(serverId))
    runtime.foreign?.onFound((serverId, container) => {
      this.#containers.set(serverId, container)
      refresh(serverId)
    })
  }

  async refresh(serverId: string): Promise<void> {
    const { store, files, register, runtime } = this.#ports
    const container = this.#containers.get(serverId)
    if (!container) return
    const software = await readSoftware(container, files.of(serverId))
    const before = store.servers.byId(serverId)
    if (!before) return void this.#containers.delete(serverId)
    const { port, openTo, memoryMb } = { ...container, port: container.port ?? before.port }
    const isSame =
      before.softwareId === software.softwareId && before.softwareVersion === software.softwareVersion
    if (!isSame)
      store.servers.setSoftware(serverId, { id: software.softwareId, version: software.softwareVersion })
    const isMoved = before.port !== port || before.openTo !== openTo || before.memoryMb !== memoryMb
    if (isMoved) store.servers.change(store.servers.byId(serverId)!, { port, openTo, memoryMb })
    if (isSame && !isMoved) return
    register.changed(store.servers.byId(serverId)!)
    runtime.tellChanged(serverId, OF_A_CONTAINER, '')
  }

  /** Known before the engine has been asked for it again. */
  note(serverId: string, container: ForeignContainer): void {
    this.#containers.set(serverId, container)
  }
}
