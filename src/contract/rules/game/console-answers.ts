import type { PlayerAction } from '../../areas/players.ts'

export type ConsoleAnswer =
  | { kind: 'done' }
  /** Already so. */
  | { kind: 'unchanged' }
  /** `words`: the server's own. */
  | { kind: 'refused'; words: string }

/** Minecraft's success messages with `NAME` for the player, including versions before 1.13. */
const DONE: Readonly<Record<PlayerAction, string>> = {
  kick: 'Kicked NAME(?:: .*| from the game.*)?',
  ban: 'Banned (?:player )?NAME(?:: .*)?',
  pardon: 'Unbanned (?:player )?NAME',
  op: '(?:Made NAME a server operator|Opped NAME)',
  deop: '(?:Made NAME no longer a server operator|De-opped NAME)',
  'whitelist-add': 'Added NAME to the whitelist',
  'whitelist-remove': 'Removed NAME from the whitelist',
  message: '(?:You whisper to NAME: |\\[me -> NAME\\] |\\[Server -> NAME\\] ).*',
}

const UNCHANGED = /^(?:Nothing changed\. |Player is (?:already|not) whitelisted$)/
const REFUSED =
  /^(?:No player was found|That player (?:does not exist|cannot be found)|Unknown or incomplete command|Unknown command|Could not \w+(?:-?op)? |Incorrect argument|Invalid name or UUID)/
const WORDS_SHOWN = 200

/** What a line without its prefix says. Chat and messages for other operators begin with a name there. */
export type AnswerReader = (message: string) => ConsoleAnswer | null

export function answerReader(action: PlayerAction, name: string): AnswerReader {
  const escaped = RegExp.escape(name)
  return readerOf(new RegExp(`^${DONE[action].replaceAll('NAME', () => escaped)}$`, 'i'), UNCHANGED)
}

export function whitelistReader(on: boolean): AnswerReader {
  const word = on ? 'on' : 'off'
  return readerOf(
    new RegExp(`^(?:Whitelist is now turned ${word}|Turned ${word} the whitelist)$`),
    new RegExp(`^(?:Nothing changed\\. )?Whitelist is already turned ${word}$`),
  )
}

function readerOf(done: RegExp, unchanged: RegExp): AnswerReader {
  return (text) => {
    if (done.test(text)) return { kind: 'done' }
    if (unchanged.test(text)) return { kind: 'unchanged' }
    if (REFUSED.test(text)) return { kind: 'refused', words: text.slice(0, WORDS_SHOWN) }
    return null
  }
}
