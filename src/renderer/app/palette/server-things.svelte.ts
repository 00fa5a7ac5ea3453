import type { FileEntry, Player, ServerConfig } from '../../../contract/bridge/values.ts'
import { LiveView } from '../../core/live-view.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import { type Place, refusalOf } from '../../core/servers/place.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { files } from '../../features/files/index.ts'
import type { PaletteServer } from '../../catalog/palette-entry.ts'
import { PlayerActs } from '../../features/players/acts/player-acts.svelte.ts'
import { players } from '../../features/players/index.ts'
import { properties } from '../../features/settings/index.ts'

/** Longer lists are cut. */
const MOST = 2000

/** What a server has that the palette finds: read while the palette is open, if the account may. */
export class ServerThings {
  readonly acts: PlayerActs
  readonly #here: PaletteServer
  readonly #players: LiveView<'players.list'>
  readonly #config: LiveView<'servers.read-config'>
  readonly #files: LiveView<'files.list'>

  constructor(here: PaletteServer) {
    const { connectionId, serverId } = here
    const of = { connectionId, params: { serverId } }
    this.#here = here
    this.acts = new PlayerActs(new ServerState(connectionId, serverId))
    this.#players = new LiveView('players.list', of)
    this.#config = new LiveView('servers.read-config', of)
    this.#files = new LiveView('files.list', { ...of, query: { path: '' } })
  }

  #may(place: Place): boolean {
    const { connectionId, server } = this.#here
    return refusalOf(place, { server, connection: panel.connection(connectionId) }) === null
  }

  get players(): readonly Player[] {
    return this.#may(players) ? (this.#players.value?.items.slice(0, MOST) ?? []) : []
  }

  get properties(): NonNullable<ServerConfig['properties']> {
    return this.#may(properties) ? (this.#config.value?.properties ?? []) : []
  }

  get files(): readonly FileEntry[] {
    return this.#may(files) ? (this.#files.value?.items.slice(0, MOST) ?? []) : []
  }
}
