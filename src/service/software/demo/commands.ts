import { addBans } from './bans.ts'
import { ConsoleCommands, type CommandPorts } from './console-commands.ts'
import type { Squid, SquidPlayer } from './flying-squid.ts'
import { addOperators } from './operators.ts'
import { addWhitelist } from './whitelist.ts'

export function addCommands(squid: Squid, ports: CommandPorts): void {
  const commands = new ConsoleCommands(squid, ports)
  addPlayerCommands(commands, squid, ports)
  const whyBanned = addBans(commands)
  const isOperator = addOperators(commands)
  const whyNotListed = addWhitelist(commands, isOperator)
  addServerCommands(commands, squid, ports)

  squid.on('newPlayer', (player: SquidPlayer) => {
    player.uuid = player._client.uuid
    ports.print(`UUID of player ${player._client.username} is ${player.uuid}`)
    const why = whyBanned(player.uuid) ?? whyNotListed(player.uuid)
    if (why !== null) return refuse(squid, ports, player, why)
    if (squid.players.some(({ uuid }) => uuid === player.uuid))
      return refuse(squid, ports, player, 'You are already playing here')
    player.on('connected', () => {
      player.op = isOperator(player.uuid)
    })
  })
}

/** flying-squid's own check runs before it knows the uuid, and leaves an entity that blocks the next player. */
function refuse(squid: Squid, ports: CommandPorts, player: SquidPlayer, reason: string): void {
  player.login = async () => {
    delete squid.entities[player.id]
    player._client.end(reason)
  }
  player.disconnected = true
  player.save = async () => undefined
  ports.print(`${player._client.username} was not let in: ${reason.replaceAll('\n', ' ')}`)
}

function addPlayerCommands(commands: ConsoleCommands, squid: Squid, ports: CommandPorts): void {
  commands.add(
    'list',
    'Lists players on the server',
    'list',
    (_text, context) => {
      const names = squid.players.map((player) => player.username)
      commands.answer(
        context,
        `There are ${names.length} of a max of ${ports.maxPlayers} players online: ${names.join(', ')}`,
      )
    },
    { op: false },
  )

  commands.add(
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

  commands.add(
    'tell',
    'Sends a message to one player',
    'tell <player> <message>',
    (text, context) => {
      const who = commands.named(text)
      if (!who?.player) return commands.answer(context, 'No player was found')
      who.player.chat(`${context.player?.username ?? 'Server'} whispers to you: ${who.rest}`)
      commands.answer(context, `You whisper to ${who.name}: ${who.rest}`)
    },
    { argument: true, op: false, aliases: ['msg', 'w'] },
  )

  commands.add(
    'kick',
    'Kicks a player off the server',
    'kick <player> [<reason>]',
    (text, context) => {
      const who = commands.named(text)
      if (!who?.player) return commands.answer(context, 'No player was found')
      const reason = who.rest || 'Kicked by an operator'
      who.player.kick(reason)
      commands.answer(context, `Kicked ${who.name}: ${reason}`)
    },
    { argument: true },
  )
}

function addServerCommands(commands: ConsoleCommands, squid: Squid, ports: CommandPorts): void {
  commands.add('save-all', 'Saves the world', 'save-all', async (_text, context) => {
    commands.answer(context, 'Saving the game (this may take a moment!)')
    await ports.save()
    commands.answer(context, 'Saved the game')
  })

  commands.add('stop', 'Stops the server', 'stop', (_text, context) => {
    commands.answer(context, 'Stopping the server')
    return ports.stop()
  })

  commands.add(
    'help',
    'Lists the commands',
    'help [<command>]',
    (text, context) => {
      const hash = squid.commands.uniqueHash
      const names = text ? Object.keys(hash).filter((name) => name === text) : Object.keys(hash).sort()
      if (names.length === 0) return commands.answer(context, 'Unknown command or insufficient permissions')
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
