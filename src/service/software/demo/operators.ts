import { Operator, readList, writeList } from '../../worlds/player-lists.ts'
import { offlineUuid } from '../../../host/offline-uuid.ts'
import type { ConsoleCommands } from './console-commands.ts'

const OPERATORS = 'ops.json'

/** Returns a check for operators. */
export function addOperators(commands: ConsoleCommands): (uuid: string) => boolean {
  let operators = readList(OPERATORS, Operator)

  commands.add(
    'op',
    'Makes a player an operator',
    'op <player>',
    (text, context) => {
      const who = commands.named(text)
      if (!who) return commands.answer(context, 'That player does not exist')
      const uuid = who.player?.uuid ?? offlineUuid(who.name)
      if (operators.some((operator) => operator.uuid === uuid))
        return commands.answer(context, 'Nothing changed. The player already is an operator')
      operators = [...operators, { uuid, name: who.name, level: 4, bypassesPlayerLimit: false }]
      writeList(OPERATORS, operators)
      if (who.player) who.player.op = true
      commands.answer(context, `Made ${who.name} a server operator`)
    },
    { argument: true },
  )

  commands.add(
    'deop',
    "Takes an operator's rights",
    'deop <player>',
    (text, context) => {
      const operator = operators.find(({ name }) => name.toLowerCase() === text.toLowerCase())
      if (!operator) return commands.answer(context, 'Nothing changed. The player is not an operator')
      operators = operators.filter((other) => other !== operator)
      writeList(OPERATORS, operators)
      const player = commands.online(operator.name)
      if (player) player.op = false
      commands.answer(context, `Made ${operator.name} no longer a server operator`)
    },
    { argument: true },
  )

  return (uuid) => operators.some((operator) => operator.uuid === uuid)
}
