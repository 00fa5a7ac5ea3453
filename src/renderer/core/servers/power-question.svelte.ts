import type { PowerAction } from '../../../contract/bridge/values.ts'

export type PowerChoice = 'now' | 'warn'

export interface PowerQuestion {
  action: Exclude<PowerAction, 'start'>
  names: readonly string[]
  players: number
  mayWarn: boolean
  /** Null: do nothing. */
  answer: (choice: PowerChoice | null) => void
}

let asked = $state.raw<PowerQuestion | null>(null)

/** The question that is open, if any. */
export const powerQuestion = (): PowerQuestion | null => asked

export function setPowerQuestion(question: PowerQuestion | null): void {
  asked = question
}
