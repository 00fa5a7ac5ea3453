import type { KeychainAnswer, KeychainAsk, KeychainChild, KeychainFault } from './protocol.ts'

export type KeychainOutcome =
  | { kind: 'done'; value: string | null }
  | { kind: 'fault'; fault: KeychainFault }
  /** Timed out, most likely on a locked keyring. The child was killed. */
  | { kind: 'silent' }

type Question = KeychainAsk extends infer Ask ? (Ask extends { id: number } ? Omit<Ask, 'id'> : never) : never

export interface KeychainLineOptions {
  startChild: () => KeychainChild
  limitMs: number
  /** An idle child (40 MB) is ended after this many ms. */
  idleMs: number
}

export class KeychainLine {
  readonly #options: KeychainLineOptions
  #child: KeychainChild | null = null
  #waiting = new Map<number, (outcome: KeychainOutcome) => void>()
  #next = 1
  #idle: NodeJS.Timeout | undefined

  constructor(options: KeychainLineOptions) {
    this.#options = options
  }

  /** Never rejects. */
  ask(question: Question): Promise<KeychainOutcome> {
    clearTimeout(this.#idle)
    const id = this.#next++
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), this.#options.limitMs)
      this.#waiting.set(id, (outcome) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(outcome)
        if (this.#waiting.size === 0) this.#rest()
      })
      try {
        this.#child ??= this.#start()
        this.#child.send({ ...question, id })
      } catch {
        this.#waiting.get(id)?.({ kind: 'fault', fault: 'other' })
      }
    })
  }

  /** Kills the child; pending questions get `silent`. The next question starts a new one. */
  end(): void {
    clearTimeout(this.#idle)
    const child = this.#child
    this.#child = null
    child?.kill()
    for (const tell of [...this.#waiting.values()]) tell({ kind: 'silent' })
    clearTimeout(this.#idle)
  }

  #start(): KeychainChild {
    const child = this.#options.startChild()
    child.onAnswer((answer) => this.#answered(answer))
    child.onEnd(() => {
      // A child killed for hanging may already have a successor.
      if (this.#child !== child) return
      this.#child = null
      for (const tell of [...this.#waiting.values()]) tell({ kind: 'fault', fault: 'other' })
    })
    return child
  }

  #answered(answer: KeychainAnswer): void {
    this.#waiting.get(answer.id)?.(
      answer.ok ? { kind: 'done', value: answer.value } : { kind: 'fault', fault: answer.fault },
    )
  }

  #rest(): void {
    if (!this.#child) return
    this.#idle = setTimeout(() => this.end(), this.#options.idleMs)
    this.#idle.unref()
  }
}
