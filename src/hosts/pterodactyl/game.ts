import { type HostOperations, hostRefusal } from '../base/adapter.ts'
import { type Caller, collect } from '../base/body.ts'
import { askConsole, soon } from '../console/ask-console.ts'
import type { Consoles } from '../console/consoles.ts'
import { changeConfig, readConfig } from '../game/config.ts'
import { type GameFiles, wholeFiles } from '../game/game-files.ts'
import { type Game, GamePlayers } from '../game/players.ts'
import type { PanelFiles } from './files.ts'
import type { PanelApi } from './panel-api.ts'
import type { ServerConsole } from './server-console.ts'
import { type PanelServers, pathOf } from './servers.ts'

/** For a socket to tell the state, ms. */
const SOCKET_MS = 3000

interface Rooms {
  api: PanelApi
  servers: PanelServers
  files: PanelFiles
  consoles: Consoles<ServerConsole>
}

/** What is read of the game's own files, and done by its commands. */
export function gameOf(rooms: Rooms): HostOperations {
  const players = new GamePlayers()
  const at = ({ params }: { params: { serverId: string } }) => gameAt(params.serverId, rooms)
  return {
    'players.list': (caller) => players.list(at(caller), caller),
    'players.act': (caller) => players.act(at(caller), caller.body, caller),
    'players.whitelist': async (caller) => ({ enabled: await players.whitelist(at(caller), caller) }),
    'players.turn-whitelist': async (caller) => {
      await players.turnWhitelist(at(caller), caller.body.enabled, caller)
      return { enabled: caller.body.enabled }
    },
    'servers.read-config': async (caller) => {
      const { config, tag } = await readConfig(await configAt(caller, rooms, at(caller)), caller)
      caller.set('etag', tag)
      return config
    },
    'servers.change-config': async (caller) => {
      const { name, properties, ...others } = caller.body
      const [other] = Object.keys(others)
      if (other !== undefined) throw hostRefusal(422, 'host.elsewhere')
      const place = await configAt(caller, rooms, at(caller))
      if (properties) await changeConfig(place, properties, caller.header('if-match'), caller)
      if (name !== undefined && name !== place.name) {
        // Pterodactyl empties the description that isn't sent along.
        const json = { name, ...(place.description && { description: place.description }) }
        await rooms.api.send(`${pathOf(caller.params.serverId)}/settings/rename`, caller, {
          method: 'POST',
          json,
        })
      }
      const { config, tag } = await readConfig({ ...place, name: name ?? place.name }, caller)
      caller.set('etag', tag)
      return config
    },
  }
}

async function configAt(caller: Caller & { params: { serverId: string } }, { servers }: Rooms, game: Game) {
  const [{ name, description }, { version }] = await Promise.all([
    servers.details(caller.params.serverId, caller),
    game.pulse(caller),
  ])
  return { files: game.files, name, description, version, hasOwnPort: true }
}

function gameAt(id: string, rooms: Rooms): Game {
  const { api, servers, files, consoles } = rooms
  const state = async (caller: Caller) => {
    using held = consoles.hold(id, caller.key)
    await soon(held.console.lines(), SOCKET_MS)
    return held.console.status ?? (await servers.status(id, caller)).status
  }
  return {
    id,
    files: filesOf(id, files),
    state: async (caller) => {
      const word = await state(caller)
      switch (word) {
        case 'online':
        case 'offline':
        case 'starting':
        case 'stopping':
          return word
        default:
          throw hostRefusal(409, 'host.not-now')
      }
    },
    pulse: (caller) => servers.pulse(id, caller),
    ask: async (command, read, patience, caller) => {
      using held = consoles.hold(id, caller.key)
      // Beside the socket, which wouldn't say whether it was taken.
      const send = () => api.send(`${pathOf(id)}/command`, caller, { method: 'POST', json: { command } })
      return askConsole(held.console.lines(), send, read, patience)
    },
  }
}

const filesOf = (id: string, files: PanelFiles): GameFiles =>
  wholeFiles(
    (path, caller) => files.read(id, path, null, caller),
    (path, content, caller) => files.write(id, path, content, false, caller),
  )

/** From the panel alone: to look at an icon, no machine is entered. */
export const iconFileOf = (id: string, files: PanelFiles): Pick<GameFiles, 'read'> => ({
  async read(path, most, caller) {
    const file = await files.contents(id, path, caller)
    return file && collect(file.stream, most)
  },
})
