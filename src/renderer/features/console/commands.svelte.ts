import type { ServerRef } from '../../../contract/bridge/values.ts'
import { holdsControls, linesOf } from '../../../contract/messages/one-line.ts'
import { Lanes } from '../../../contract/rules/lanes.ts'
import { isStopped } from '../../../contract/rules/power.ts'
import { asProblem, call, type Problem } from '../../core/bridge.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { t } from '../../messages/t.svelte.ts'

/** Characters; same as in the contract. */
export const COMMAND_MAX = 2000
const REMEMBERED = 200
/** Delay before sent text leaves the field (two frames), or until the next key. */
const EMPTIED_MS = 30

export type CommandFault =
  | { kind: 'lines'; lines: string[] }
  | { kind: 'long'; length: number }
  | { kind: 'control' }
  | { kind: 'failed'; problem: Problem; command: string }
  /** Sent, outcome unknown. */
  | { kind: 'unsure'; problem: Problem; command: string }

const drafts = new Map<string, string>()

export class CommandLine {
  #shown = $state('')
  /** Shown text was sent and is about to disappear. */
  #sent = false
  /** Suggestions are for what is being typed, not for commands called back. */
  suggesting = $state(false)
  fault = $state.raw<CommandFault | null>(null)
  sending = $state(0)

  readonly #server: ServerRef
  readonly #key: string
  /** Newest first. */
  #before = $state.raw<readonly string[]>([])
  /** Shown history index; -1 is the draft. */
  #at = -1
  #draft = ''
  readonly #queue = new Lanes({ atOnce: 1 })

  constructor(server: ServerRef) {
    this.#server = server
    this.#key = `${server.connectionId}\n${server.serverId}`
    this.#shown = drafts.get(this.#key) ?? ''
  }

  get text(): string {
    const shown = this.#shown
    return this.#sent ? '' : shown
  }

  set text(text: string) {
    this.#sent = false
    this.#shown = text
  }

  get history(): readonly string[] {
    return this.#before
  }

  /** Call before the field takes input: removes sent text. */
  settle(): void {
    if (this.#sent) this.text = ''
  }

  /** Loads the history. Without it, arrow keys only know commands of this session. */
  async load(): Promise<void> {
    try {
      const known = await call('console.commands', this.#server)
      this.#before = [...this.#before, ...known].slice(0, REMEMBERED)
    } catch {
      // Loaded next time.
    }
  }

  edited(): void {
    this.#at = -1
    this.suggesting = true
    this.fault = faultOf(this.text)
    this.#keepDraft()
  }

  complete(text: string): void {
    this.text = text
    this.edited()
  }

  earlier(): void {
    if (this.#at + 1 >= this.#before.length) return
    if (this.#at === -1) this.#draft = this.text
    this.#show(this.#at + 1)
  }

  later(): void {
    if (this.#at === -1) return
    this.#show(this.#at - 1)
  }

  async send(): Promise<void> {
    this.fault = faultOf(this.text)
    const command = this.text.trim()
    if (this.fault || command === '') return
    this.#clear()
    await this.#send(command)
  }

  /** Sends pasted lines one by one; stops at the first failure. */
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
    return this.#queue.run('', () => this.#call(command))
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
      // Restore a failed command unless the user typed on. Not if it may have run: Enter would run it twice.
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

  /** Clears the field later: browsers that must paint after a key delay socket data until then. */
  #clear(): void {
    this.#sent = true
    this.suggesting = false
    setTimeout(() => this.settle(), EMPTIED_MS)
    this.fault = null
    this.#keepDraft()
  }

  #show(at: number): void {
    this.#at = at
    this.suggesting = false
    this.text = at === -1 ? this.#draft : this.#before[at]!
    this.fault = faultOf(this.text)
    this.#keepDraft()
  }

  #keepDraft(): void {
    if (this.text === '') drafts.delete(this.#key)
    else drafts.set(this.#key, this.text)
  }
}

/** Whether the service may have received the command, including calls without a result from main. */
const mayHaveGone = (problem: Problem): boolean =>
  problem.unsure === true || problem.code === 'internal' || problem.text?.key === 'panel.silent'

export function faultOf(text: string): CommandFault | null {
  const trimmed = text.trim()
  const lines = linesOf(trimmed).filter((line) => line.trim() !== '')
  if (lines.length > 1) return { kind: 'lines', lines: lines.map((line) => line.trim()) }
  if (trimmed.length > COMMAND_MAX) return { kind: 'long', length: trimmed.length }
  // Main refuses these; report it while the text is still in the field.
  if (holdsControls(trimmed)) return { kind: 'control' }
  return null
}

/** Why the server takes no commands now, or null. If its service can't be reached, its status is not known. */
export function sendReason({ kind, reach }: Pick<ServerState, 'kind' | 'reach'>): string | null {
  if (reach !== 'ready') return null
  if (kind === 'installing') return t('power.installing')
  return isStopped(kind) ? t('command.off') : null
}
