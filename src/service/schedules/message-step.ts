import type { WishedStep } from '../../contract/areas/schedule-values.ts'
import { countdownMarks, TIME_LEFT } from '../../contract/rules/schedules.ts'
import { pause, type Timers } from '../base/timers.ts'

export function timeLeft(seconds: number, language = 'en'): string {
  const [unit, value] = seconds >= 60 && seconds % 60 === 0 ? ['minute', seconds / 60] : ['second', seconds]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** Says it in the chat; with a countdown, again as time runs out, and ends with it. */
export async function messageStep(
  { text = '', countdown, language }: Pick<WishedStep, 'text' | 'countdown' | 'language'>,
  say: (text: string) => void,
  { timers, signal }: { timers: Timers; signal: AbortSignal },
): Promise<void> {
  if (countdown === undefined) return say(text)
  const marks = countdownMarks(countdown)
  for (const [at, mark] of marks.entries()) {
    say(text.replaceAll(TIME_LEFT, timeLeft(mark, language)))
    await pause(timers, (mark - (marks[at + 1] ?? 0)) * 1000, signal)
  }
}
