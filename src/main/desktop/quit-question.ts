import type { DialogTexts } from './dialog-texts.ts'
import type { QuitAnswer } from './quitting.ts'

export interface QuitQuestionPorts {
  words: DialogTexts
  running: number | null
  /** Prepares background running, or rejects; null if unsupported. */
  prepare: (() => Promise<unknown>) | null
  show: (options: ReturnType<typeof optionsOf>) => Promise<number>
  tell: (title: string, text: string) => void
}

export async function howToQuit(ports: QuitQuestionPorts): Promise<QuitAnswer> {
  const { words, running, prepare, show, tell } = ports
  // Unknown servers cannot be handed over.
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
    // Windows would show three answers as links.
    noLink: true,
  }
}
