import { listTime } from '../../../contract/rules/game/list-entries.ts'
import { Ban, readList, writeList } from '../../worlds/player-lists.ts'
import { offlineUuid } from '../../../host/offline-uuid.ts'
import type { ConsoleCommands } from './console-commands.ts'

const BANS = 'banned-players.json'
const banned = (reason: string) => `You are banned from this server.\nReason: ${reason}`

/** Returns why a player is rejected; null if not. */
export function addBans(commands: ConsoleCommands): (uuid: string) => string | null {
  let bans = readList(BANS, Ban)
  /** Times share a format, so strings compare. */
  const holds = ({ expires }: Ban) => expires === 'forever' || expires > listTime(new Date())

  commands.add(
    'ban',
    'Adds a player to the ban list',
    'ban <player> [<reason>]',
    (text, context) => {
      const who = commands.named(text)
      if (!who) return commands.answer(context, 'That player does not exist')
      const uuid = who.player?.uuid ?? offlineUuid(who.name)
      if (bans.some((ban) => ban.uuid === uuid && holds(ban)))
        return commands.answer(context, 'Nothing changed. The player is already banned')
      const reason = who.rest || 'Banned by an operator.'
      const source = context.player?.username ?? 'Server'
      bans = [
        ...bans.filter((ban) => ban.uuid !== uuid),
        { uuid, name: who.name, created: listTime(new Date()), source, expires: 'forever', reason },
      ]
      writeList(BANS, bans)
      commands.answer(context, `Banned ${who.name}: ${reason}`)
      who.player?.kick(banned(reason))
    },
    { argument: true },
  )

  commands.add(
    'pardon',
    'Removes a player from the ban list',
    'pardon <player>',
    (text, context) => {
      const ban = bans.find(({ name }) => name.toLowerCase() === text.toLowerCase())
      if (!ban) return commands.answer(context, "Nothing changed. The player isn't banned")
      bans = bans.filter((other) => other !== ban)
      writeList(BANS, bans)
      commands.answer(context, `Unbanned ${ban.name}`)
    },
    { argument: true, aliases: ['unban'] },
  )

  commands.add('banlist', 'Lists bans', 'banlist', (_text, context) => {
    if (bans.length === 0) return commands.answer(context, 'There are no bans')
    commands.answer(context, `There are ${bans.length} ban(s):`)
    for (const ban of bans) commands.answer(context, `${ban.name} was banned by ${ban.source}: ${ban.reason}`)
  })

  return (uuid) => {
    const ban = bans.find((one) => one.uuid === uuid && holds(one))
    return ban ? banned(ban.reason) : null
  }
}
