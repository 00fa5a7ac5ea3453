import { Lanes } from '../../../contract/rules/lanes.ts'
import { findFreePort } from '../../base/host.ts'
import { gameHost } from '../../base/game-host.ts'
import { refusal, type Refusal } from '../../../host/refusal.ts'
import type { ServerRow } from '../../store/servers.ts'
import type { Store } from '../../store/store.ts'

export interface GamePortsOptions {
  store: Pick<Store, 'servers'>
  host: string
  firstGamePort: number
}

/** Serializes port assignment, so that no two servers get the same port. */
export class GamePorts {
  readonly #options: GamePortsOptions
  readonly #turns = new Lanes({ atOnce: 1 })

  constructor(options: GamePortsOptions) {
    this.#options = options
  }

  take<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run('', work)
  }

  /**
   * Returns the wished or the first free port; call within a turn. Throws 409 `server.no-port`, `server.port-taken`
   * with its field.
   */
  async free(openTo: ServerRow['openTo'], wish: number | null): Promise<number> {
    const { store, host, firstGamePort } = this.#options
    const port = await findFreePort(gameHost(openTo, host), store.servers.ports(), wish ?? firstGamePort)
    if (port === null) throw refusal(409, 'server.no-port')
    if (wish !== null && wish !== port) throw portTaken(wish, port)
    return port
  }
}

function portTaken(wished: number, free: number): Refusal {
  return refusal(409, 'server.port-taken.free', { port: String(wished), free: String(free) }).at('port')
}
