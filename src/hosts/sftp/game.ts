import { Readable } from 'node:stream'
import { ICON_BYTES } from '../../contract/areas/servers.ts'
import { plainLine } from '../../contract/rules/game/plain-line.ts'
import { ICON_FILE, iconAddress } from '../../contract/rules/game/server-icon.ts'
import { type HostOperations, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { changeConfig, readConfig } from '../game/config.ts'
import { UNUSABLE } from '../game/game-files.ts'
import { type Game, GamePlayers } from '../game/players.ts'
import { type CommandRooms, sendCommand } from './console.ts'
import type { ServerFolder } from './folder.ts'
import { SERVER_ID } from './game-server.ts'
import type { SshLink } from './link.ts'
import * as remote from './remote.ts'
import type { SftpWriting } from './writing.ts'

interface Rooms extends CommandRooms {
  link: SshLink
  folder: ServerFolder
  writing: SftpWriting
}

/** What is read of the game's own files, and done by its commands. */
export function gameOf(rooms: Rooms): HostOperations {
  const game = gameAt(rooms)
  const players = new GamePlayers()
  const configAt = async (caller: Caller) => {
    const { version } = await rooms.server.pulse(caller)
    // What the panel calls the server follows from the settings.
    return { files: game.files, name: rooms.link.place.host, version, hasOwnPort: false }
  }
  return {
    'players.list': (caller) => players.list(game, caller),
    'players.act': (caller) => players.act(game, caller.body, caller),
    'players.whitelist': async (caller) => ({ enabled: await players.whitelist(game, caller) }),
    'players.turn-whitelist': async (caller) => {
      await players.turnWhitelist(game, caller.body.enabled, caller)
      return { enabled: caller.body.enabled }
    },
    'servers.icon': async (caller) => {
      const png = await game.files.read(ICON_FILE, ICON_BYTES, caller)
      return { picture: png === null || png === UNUSABLE ? null : iconAddress(png) }
    },
    'servers.read-config': async (caller) => {
      const { config, tag } = await readConfig(await configAt(caller), caller)
      caller.set('etag', tag)
      return config
    },
    'servers.change-config': async (caller) => {
      const { properties, ...others } = caller.body
      if (Object.keys(others).length > 0) throw hostRefusal(422, 'host.elsewhere')
      const place = await configAt(caller)
      if (properties) await changeConfig(place, properties, caller.header('if-match'), caller)
      rooms.server.forget()
      const { config, tag } = await readConfig(place, caller)
      caller.set('etag', tag)
      return config
    },
  }
}

const gameAt = ({ folder, writing, ...rooms }: Rooms): Game => ({
  id: SERVER_ID,
  files: {
    async read(path, most, caller) {
      const session = await rooms.link.open(caller)
      const at = await folder.at(session, path)
      const about = await remote.statOf(session, at)
      if (!about) return null
      if (!about.isFile() || about.size > most) return UNUSABLE
      return remote.readPart(session, at, 0, about.size)
    },
    async write(path, bytes, caller) {
      await writing.write({ path, bytes: Readable.from([bytes]), mustBeNew: false }, caller)
    },
  },
  state: (caller) => rooms.server.state(caller),
  pulse: (caller) => rooms.server.pulse(caller),
  async ask(command, read, _patience, caller) {
    // The reply to the command itself, without the time of a log.
    const replied = await sendCommand(command, caller, rooms)
    return replied.map((line) => read(plainLine(line))).find((answer) => answer !== null) ?? null
  },
})
