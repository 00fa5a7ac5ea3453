import type { ServerRef } from '../../../contract/bridge/values.ts'
import { holdsControls, linesOf } from '../../../contract/messages/one-line.ts'
import { asProblem, call, type Problem } from '../../core/bridge.ts'

/** Longest command the contract lets through, in characters. */
export const COMMAND_MAX = 2000
/** Commands kept for the arrow keys. */
const REMEMBERED = 200
/** What was sent leaves the field after so many milliseconds, two pictures, or as soon as a key is pressed there. */
const EMPTIED_MS = 30

/** What is wrong with the text in the command line. */
export type CommandFault =
  | { kind: 'lines'; lines: string[] }
  | { kind: 'long'; length: number }
  | { kind: 'control' }
  | { kind: 'failed'; problem: Problem; command: string }
  /** It was sent, and nobody knows whether it ran. */
  | { kind: 'unsure'; problem: Problem; command: string }

/** What was being typed, by server, for when the tab is left and shown again. */
const drafts = new Map<string, string>()

/** The command line of a server: its draft, the commands before, and what is wrong with what was typed. */
export class CommandLine {
  /** What the field shows. */
  #shown = $state('')
  /** What is shown was sent, and leaves the field in a moment. */
  #sent = false
  fault = $state.raw<CommandFault | null>(null)
  /** Commands on their way. */
  sending = $state(0)

  readonly #server: ServerRef
  readonly #key: string
  /** Newest first. */
  #before: string[] = []
  /** Which of them is shown; -1 is the draft. */
  #at = -1
  #draft = ''
  /** Commands go out one after the other, in the order they were typed. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(server: ServerRef) {
    this.#server = server
    this.#key = `${server.connectionId}\n${server.serverId}`
    this.#shown = drafts.get(this.#key) ?? ''
  }

  /** The text being typed. */
  get text(): string {
    const shown = this.#shown
    return this.#sent ? '' : shown
  }

  set text(text: string) {
    this.#sent = false
    this.#shown = text
  }

  /** To be called before the field takes anything in: what was sent has left it by then. */
  settle(): void {
    if (this.#sent) this.text = ''
  }

  /** Reads the commands sent before. Without them the arrow keys know only those of now. */
  async load(): Promise<void> {
    try {
      const known = await call('console.commands', this.#server)
      this.#before = [...this.#before, ...known].slice(0, REMEMBERED)
    } catch {
      // They come again the next time.
    }
  }

  /** To be called when the text was changed by typing or pasting. */
  edited(): void {
    this.#at = -1
    this.fault = faultOf(this.text)
    this.#keepDraft()
  }

  /** Shows the command before the one shown. */
  earlier(): void {
    if (this.#at + 1 >= this.#before.length) return
    if (this.#at === -1) this.#draft = this.text
    this.#show(this.#at + 1)
  }

  /** Shows the command after the one shown, at the end the draft. */
  later(): void {
    if (this.#at === -1) return
    this.#show(this.#at - 1)
  }

  /** Sends what is typed. What cannot be sent stays, with the reason beside it. */
  async send(): Promise<void> {
    this.fault = faultOf(this.text)
    const command = this.text.trim()
    if (this.fault || command === '') return
    this.#clear()
    await this.#send(command)
  }

  /** Sends lines that were pasted together one after the other, and stops at the first that fails. */
  async sendLines(): Promise<void> {
    if (this.fault?.kind !== 'lines') return
    const lines = this.fault.lines
    const wrong = lines.map(faultOf).find((fault) => fault !== null)
    if (wrong) {
      this.fault = wrong
      return
    }
    this.#clear()
    for (const [at, line] of lines.entries()) {
      if (await this.#send(line)) continue
      // Those that were not sent stay in the line.
      const rest = lines.slice(at + 1)
      if (rest.length > 0) {
        this.text = [this.text, ...rest].filter((text) => text !== '').join('\n')
        this.#keepDraft()
      }
      return
    }
  }

  #send(command: string): Promise<boolean> {
    this.#remember(command)
    const sent = this.#queue.then(() => this.#call(command))
    this.#queue = sent
    return sent
  }

  async #call(command: string): Promise<boolean> {
    this.sending += 1
    try {
      await call('console.command', { ...this.#server, command })
      if (this.fault?.kind === 'failed' || this.fault?.kind === 'unsure') this.fault = null
      return true
    } catch (thrown) {
      const problem = asProblem(thrown)
      const kind = mayHaveGone(problem) ? 'unsure' : 'failed'
      this.fault = { kind, problem, command }
      // Typed on meanwhile, the command is one arrow key away; else it stands there again. One that may have run does
      // not: pressing Enter once more would run it twice.
      if (this.text === '' && kind === 'failed') {
        this.text = command
        this.#keepDraft()
      }
      return false
    } finally {
      this.sending -= 1
    }
  }

  #remember(command: string): void {
    if (this.#before[0] !== command) this.#before = [command, ...this.#before].slice(0, REMEMBERED)
    this.#at = -1
  }

  /**
   * Takes the text away, from the field a moment later. A browser that has something to draw after a key holds back whatever
   * comes over a socket until that is drawn; and what the server says at once is drawn together with the empty field.
   */
  #clear(): void {
    this.#sent = true
    setTimeout(() => this.settle(), EMPTIED_MS)
    this.fault = null
    this.#keepDraft()
  }

  #show(at: number): void {
    this.#at = at
    this.text = at === -1 ? this.#draft : this.#before[at]!
    this.fault = faultOf(this.text)
    this.#keepDraft()
  }

  #keepDraft(): void {
    if (this.text === '') drafts.delete(this.#key)
    else drafts.set(this.#key, this.text)
  }
}

/** Whether the command may have reached the service: also where the panel itself does not say what came of the call. */
const mayHaveGone = (problem: Problem): boolean =>
  problem.unsure === true || problem.code === 'internal' || problem.text?.key === 'panel.silent'

/** What keeps a text from being sent as one command; null where nothing does. */
export function faultOf(text: string): CommandFault | null {
  const trimmed = text.trim()
  const lines = linesOf(trimmed).filter((line) => line.trim() !== '')
  if (lines.length > 1) return { kind: 'lines', lines: lines.map((line) => line.trim()) }
  if (trimmed.length > COMMAND_MAX) return { kind: 'long', length: trimmed.length }
  // Main refuses them; it is said here while the text is still in the line.
  if (holdsControls(trimmed)) return { kind: 'control' }
  return null
}
