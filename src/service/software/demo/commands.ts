import { Ban, listTime, Operator, readList, writeList } from '../../worlds/player-lists.ts'
import { offlineUuid } from '../../worlds/player-uuid.ts'
import type { CommandContext, Squid, SquidPlayer } from './flying-squid.ts'

const BANS = 'banned-players.json'
const OPERATORS = 'ops.json'
const banned = (reason: string) => `You are banned from this server.\nReason: ${reason}`
const NAME = /^[.*]?[A-Za-z0-9_]{1,16}$/

/** What the commands need of the launcher. */
export interface CommandPorts {
  print(text: string): void
  maxPlayers: number
  save(): Promise<void>
  stop(): Promise<void>
}

/**
 * Puts Minecraft's own commands, in Minecraft's own words, in place of flying-squid's: bans and operators are kept in
 * the files a Minecraft server keeps them in, and hold over a restart.
 */
export function addCommands(squid: Squid, ports: CommandPorts): void {
  let bans = readList(BANS, Ban)
  let operators = readList(OPERATORS, Operator)

  squid.on('newPlayer', (player: SquidPlayer) => {
    player.uuid = player._client.uuid
    const ban = bans.find(({ uuid }) => uuid === player.uuid)
    if (ban) return refuse(player, banned(ban.reason))
    if (squid.players.some(({ uuid }) => uuid === player.uuid))
      return refuse(player, 'You are already playing here')
    player.on('connected', () => {
      player.op = operators.some((operator) => operator.uuid === player.uuid)
    })
  })

  const online = (name: string) =>
    squid.players.find((player) => player.username.toLowerCase() === name.toLowerCase())

  /**
   * Sends a player away before they are in. flying-squid's own check comes before it knows the uuid, so that it refuses
   * nobody, and would leave a body behind that keeps the next player from spawning.
   */
  function refuse(player: SquidPlayer, reason: string): void {
    player.login = async () => {
      delete squid.entities[player.id]
      player._client.end(reason)
    }
    // They never were here: nobody is told that they left, and nothing of them is saved.
    player.disconnected = true
    player.save = async () => undefined
    ports.print(`${player._client.username} was not let in: ${reason.replaceAll('\n', ' ')}`)
  }

  /** Who gave the command hears the answer; what a player did is shown in the console too, as Minecraft does. */
  function answer(context: CommandContext, text: string): void {
    if (context.player) {
      context.player.chat(text)
      ports.print(`[${context.player.username}: ${text}]`)
    } else ports.print(text)
  }

  function add(
    base: string,
    info: string,
    usage: string,
    action: (text: string, context: CommandContext) => unknown,
    needs: { op?: boolean; argument?: boolean; aliases?: string[] } = {},
  ): void {
    const { op = true, argument = false, aliases = [] } = needs
    const parse = (text: string) => (argument && text.trim() === '' ? (false as const) : text.trim())
    squid.commands.add({ base, aliases, info, usage: `/${usage}`, op, parse, action })
  }

  /** `name rest` → the name as it is to be written, and the rest. */
  function named(text: string): { name: string; rest: string; player: SquidPlayer | undefined } | null {
    const [first = '', ...rest] = text.split(' ')
    if (!NAME.test(first)) return null
    const player = online(first)
    return { name: player?.username ?? first, rest: rest.join(' '), player }
  }

  add(
    'list',
    'Lists players on the server',
    'list',
    (_text, context) => {
      const names = squid.players.map((player) => player.username)
      answer(
        context,
        `There are ${names.length} of a max of ${ports.maxPlayers} players online: ${names.join(', ')}`,
      )
    },
    { op: false },
  )

  add(
    'say',
    'Broadcasts a message',
    'say <message>',
    (text, context) => {
      const line = `[${context.player?.username ?? 'Server'}] ${text}`
      squid.broadcast(line)
      ports.print(line)
    },
    { argument: true },
  )

  add(
    'kick',
    'Kicks a player off the server',
    'kick <player> [<reason>]',
    (text, context) => {
      const who = named(text)
      if (!who?.player) return answer(context, 'No player was found')
      const reason = who.rest || 'Kicked by an operator'
      who.player.kick(reason)
      answer(context, `Kicked ${who.name}: ${reason}`)
    },
    { argument: true },
  )

  add(
    'ban',
    'Adds a player to the ban list',
    'ban <player> [<reason>]',
    (text, context) => {
      const who = named(text)
      if (!who) return answer(context, 'That player does not exist')
      const uuid = who.player?.uuid ?? offlineUuid(who.name)
      if (bans.some((ban) => ban.uuid === uuid))
        return answer(context, 'Nothing changed. The player is already banned')
      const reason = who.rest || 'Banned by an operator.'
      const source = context.player?.username ?? 'Server'
      bans = [
        ...bans,
        { uuid, name: who.name, created: listTime(new Date()), source, expires: 'forever', reason },
      ]
      writeList(BANS, bans)
      answer(context, `Banned ${who.name}: ${reason}`)
      who.player?.kick(banned(reason))
    },
    { argument: true },
  )

  add(
    'pardon',
    'Removes a player from the ban list',
    'pardon <player>',
    (text, context) => {
      const ban = bans.find(({ name }) => name.toLowerCase() === text.toLowerCase())
      if (!ban) return answer(context, "Nothing changed. The player isn't banned")
      bans = bans.filter((other) => other !== ban)
      writeList(BANS, bans)
      answer(context, `Unbanned ${ban.name}`)
    },
    { argument: true, aliases: ['unban'] },
  )

  add('banlist', 'Lists bans', 'banlist', (_text, context) => {
    if (bans.length === 0) return answer(context, 'There are no bans')
    answer(context, `There are ${bans.length} ban(s):`)
    for (const ban of bans) answer(context, `${ban.name} was banned by ${ban.source}: ${ban.reason}`)
  })

  add(
    'op',
    'Makes a player an operator',
    'op <player>',
    (text, context) => {
      const who = named(text)
      if (!who) return answer(context, 'That player does not exist')
      const uuid = who.player?.uuid ?? offlineUuid(who.name)
      if (operators.some((operator) => operator.uuid === uuid))
        return answer(context, 'Nothing changed. The player already is an operator')
      operators = [...operators, { uuid, name: who.name, level: 4, bypassesPlayerLimit: false }]
      writeList(OPERATORS, operators)
      if (who.player) who.player.op = true
      answer(context, `Made ${who.name} a server operator`)
    },
    { argument: true },
  )

  add(
    'deop',
    "Takes an operator's rights",
    'deop <player>',
    (text, context) => {
      const operator = operators.find(({ name }) => name.toLowerCase() === text.toLowerCase())
      if (!operator) return answer(context, 'Nothing changed. The player is not an operator')
      operators = operators.filter((other) => other !== operator)
      writeList(OPERATORS, operators)
      const player = online(operator.name)
      if (player) player.op = false
      answer(context, `Made ${operator.name} no longer a server operator`)
    },
    { argument: true },
  )

  add('save-all', 'Saves the world', 'save-all', async (_text, context) => {
    answer(context, 'Saving the game (this may take a moment!)')
    await ports.save()
    answer(context, 'Saved the game')
  })

  add('stop', 'Stops the server', 'stop', (_text, context) => {
    answer(context, 'Stopping the server')
    return ports.stop()
  })

  add(
    'help',
    'Lists the commands',
    'help [<command>]',
    (text, context) => {
      const hash = squid.commands.uniqueHash
      const names = text ? Object.keys(hash).filter((name) => name === text) : Object.keys(hash).sort()
      if (names.length === 0) return answer(context, 'Unknown command or insufficient permissions')
      for (const name of names) {
        const { usage, info } = hash[name]!.params
        const line = `${usage ?? `/${name}`}${info ? ` - ${info}` : ''}`
        if (context.player) context.player.chat(line)
        else ports.print(line)
      }
    },
    { op: false, aliases: ['?'] },
  )
}
