import { isPlausibleName } from '../../../contract/rules/players/player-names.ts'
import type { CommandContext, Squid, SquidPlayer } from './flying-squid.ts'

/** A word or quoted string, then the rest. No selectors (`@a`). */
const ARGUMENT = /^(?:"(?<quoted>(?:[^"\\]|\\["\\])*)"|(?<word>[^\s@"]\S*))(?: (?<rest>.*))?$/s

export interface CommandPorts {
  print(text: string): void
  maxPlayers: number
  save(): Promise<void>
  stop(): Promise<void>
}

type Action = (text: string, context: CommandContext) => unknown

export class ConsoleCommands {
  readonly #squid: Squid
  readonly #print: (text: string) => void

  constructor(squid: Squid, { print }: Pick<CommandPorts, 'print'>) {
    this.#squid = squid
    this.#print = print
  }

  add(
    base: string,
    info: string,
    usage: string,
    action: Action,
    needs: { op?: boolean; argument?: boolean; aliases?: string[] } = {},
  ): void {
    const { op = true, argument = false, aliases = [] } = needs
    const parse = (text: string) => (argument && text.trim() === '' ? (false as const) : text.trim())
    this.#squid.commands.add({ base, aliases, info, usage: `/${usage}`, op, parse, action })
  }

  /** Answers to players also appear in the console, as in Minecraft. */
  answer({ player }: CommandContext, text: string): void {
    if (player) {
      player.chat(text)
      this.#print(`[${player.username}: ${text}]`)
    } else this.#print(text)
  }

  online(name: string): SquidPlayer | undefined {
    return this.#squid.players.find((player) => player.username.toLowerCase() === name.toLowerCase())
  }

  /** Splits `name rest`, with the name as it should be written. */
  named(text: string): { name: string; rest: string; player: SquidPlayer | undefined } | null {
    const { quoted, word = '', rest = '' } = ARGUMENT.exec(text)?.groups ?? {}
    const named = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? word
    if (!isPlausibleName(named)) return null
    const player = this.online(named)
    return { name: player?.username ?? named, rest, player }
  }
}
