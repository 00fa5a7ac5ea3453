import { playersNamedIn, LOG_PREFIX } from '../../../contract/rules/log-text.ts'
import { isPlausibleName } from '../../../contract/rules/players/player-names.ts'
import { messageOf } from '../../../contract/rules/game/plain-line.ts'

/** Beyond that, everyone is `Player`. */
const PLAYERS_MOST = 5_000
/** Shorter names are matched case-sensitively. */
const ANY_CASE = 5
const WORDLESS_MOST = 100
const WORDLESS_LEAST = 3

/** Words of logs, or of our stand-ins: players with these names can't be recognized. */
const WORDS = new Set(
  'server thread main info warn error fatal debug java lang net org com minecraft mojang bukkit address uuid user removed player rcon console me you'.split(
    ' ',
  ),
)
const WORD = /[\p{L}\p{N}_]+/gu
const WORD_SIGN = /[\p{L}\p{N}_]/u

export const namesIn = (lines: string): string[] =>
  lines.split('\n').flatMap((line) => playersNamedIn(messageOf(line) ?? '').map(({ name }) => name))

/** Offset of the first word in a name, and the name's length. */
interface NameShape {
  offset: number
  length: number
}

export class PlayerRedactor {
  /** By exact name; by lower-case name for those matched in any case. */
  readonly #numbers = new Map<string, number>()
  /** By lower-case first word, longest names first. */
  readonly #shapes = new Map<string, NameShape[]>()
  readonly #wordless: string[] = []
  readonly #label: string
  readonly #removed = new Set<number>()

  constructor(names: Iterable<string>) {
    const numbers = new Map<string, number>()
    for (const name of new Set(names)) {
      const lower = name.toLowerCase()
      if (!isPlausibleName(name) || WORDS.has(lower)) continue
      if (!numbers.has(lower)) numbers.set(lower, numbers.size + 1)
      this.#add(name, numbers.get(lower)!)
    }
    for (const shapes of this.#shapes.values()) shapes.sort((a, b) => b.length - a.length)
    this.#label = [...numbers.keys()].some((name) => /^player\d*$/.test(name)) ? 'Person' : 'Player'
  }

  get removed(): number {
    return this.#removed.size
  }

  of(lines: string): string {
    if (this.#numbers.size === 0) return lines
    return lines
      .split('\n')
      .map((line) => this.#without(line))
      .join('\n')
  }

  #add(name: string, number: number): void {
    this.#numbers.set(name, number)
    if (name.length >= ANY_CASE) this.#numbers.set(name.toLowerCase(), number)
    const [word, offset] = [name.match(WORD)?.[0] ?? '', name.search(WORD)]
    if (word === '') {
      if (name.length >= WORDLESS_LEAST && this.#wordless.length < WORDLESS_MOST) this.#wordless.push(name)
      return
    }
    const shapes = this.#shapes.get(word.toLowerCase()) ?? []
    if (!shapes.some((one) => one.offset === offset && one.length === name.length))
      shapes.push({ offset, length: name.length })
    this.#shapes.set(word.toLowerCase(), shapes)
  }

  #without(line: string): string {
    const start = LOG_PREFIX.exec(line)?.[0].length ?? 0
    const text = line.slice(start)
    let shared = ''
    let last = 0
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const found = index < last ? null : this.#nameAt(text, word, index)
      if (!found || found.from < last) continue
      shared += text.slice(last, found.from) + this.#standIn(found.number)
      last = found.to
    }
    shared += text.slice(last)
    for (const name of this.#wordless)
      shared = shared.replaceAll(name, () => this.#standIn(this.#numbers.get(name)!))
    return line.slice(0, start) + shared
  }

  #nameAt(text: string, word: string, index: number): { from: number; to: number; number: number } | null {
    for (const { offset, length } of this.#shapes.get(word.toLowerCase()) ?? []) {
      const [from, to] = [index - offset, index - offset + length]
      const name = from < 0 ? '' : text.slice(from, to)
      const number =
        this.#numbers.get(name) ?? this.#numbers.get(name.length < ANY_CASE ? '' : name.toLowerCase())
      if (number !== undefined && !isWithinWord(text, from) && !isWithinWord(text, to))
        return { from, to, number }
    }
    return null
  }

  #standIn(number: number): string {
    this.#removed.add(number)
    return `${this.#label}${number > PLAYERS_MOST ? '' : number}`
  }
}

const isWithinWord = (text: string, at: number): boolean =>
  WORD_SIGN.test(text[at - 1] ?? '') && WORD_SIGN.test(text[at] ?? '')
