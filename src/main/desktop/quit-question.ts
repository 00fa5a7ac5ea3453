import type { DialogTexts } from './dialog-texts.ts'
import type { QuitAnswer } from './quitting.ts'

export interface QuitQuestionPorts {
  words: DialogTexts
  /** How many servers run; null where nobody knows. */
  running: number | null
  /** Has the system ready to run servers in the background, or rejects; null where it cannot. */
  prepare: (() => Promise<unknown>) | null
  /** Shows a dialog; answers which of its buttons was pressed. */
  show: (options: ReturnType<typeof optionsOf>) => Promise<number>
  /** Says what went wrong. */
  tell: (title: string, text: string) => void
}

/** Asks a person what becomes of running servers. */
export async function howToQuit(ports: QuitQuestionPorts): Promise<QuitAnswer> {
  const { words, running, prepare, show, tell } = ports
  // What may not run cannot be handed over.
  const answers: QuitAnswer[] = prepare && running !== null ? ['stop', 'hand-over', 'stay'] : ['stop', 'stay']
  const answer = answers[await show(optionsOf(words, running, answers))] ?? 'stay'
  if (answer !== 'hand-over') return answer
  try {
    await prepare?.()
    return answer
  } catch {
    tell(words.quitTitle, words.noBackground)
    return 'stay'
  }
}

function optionsOf(words: DialogTexts, running: number | null, answers: readonly QuitAnswer[]) {
  const labels = { stop: words.stopAndQuit, 'hand-over': words.keepAndQuit, stay: words.cancel }
  const kept = answers.includes('hand-over') ? ` ${words.quitKeepDetail}` : ''
  return {
    type: 'question' as const,
    title: words.quitTitle,
    message: running === null ? words.quitUnknown : words.quitQuestion(running),
    detail: `${words.quitDetail}${kept}`,
    buttons: answers.map((answer) => labels[answer]),
    defaultId: 0,
    cancelId: answers.indexOf('stay'),
    // On Windows, three answers would be links otherwise.
    noLink: true,
  }
}
