import type { Scope } from '../declarations/operation.ts'
import type { ScheduleStepKind } from '../areas/schedule-values.ts'

type Needs = readonly Scope[] | 'owner'

/** Whoever writes a rule has to hold what each step needs, then and whenever it runs. */
const STEP_NEEDS = {
  command: ['console.send'],
  message: ['console.send'],
  wait: [],
  'update-extensions': ['extensions.write'],
  backup: ['backups.create'],
  'try-backup': ['backups.create'],
} as const satisfies Record<Exclude<ScheduleStepKind, 'power'>, Needs>

const POWER_NEEDS = {
  start: ['control.start'],
  stop: ['control.stop'],
  restart: ['control.stop', 'control.start'],
} as const satisfies Record<string, readonly Scope[]>

interface StepWords {
  kind: string
  power?: string | null | undefined
}

/** Unknown steps are for owners only. */
export function stepNeeds({ kind, power }: StepWords): Needs {
  if (kind === 'power')
    return power && Object.hasOwn(POWER_NEEDS, power)
      ? POWER_NEEDS[power as keyof typeof POWER_NEEDS]
      : 'owner'
  return Object.hasOwn(STEP_NEEDS, kind) ? STEP_NEEDS[kind as keyof typeof STEP_NEEDS] : 'owner'
}

/** What a role lacks for these steps; null if nothing. */
export function lackFor(
  held: 'owner' | readonly string[] | null,
  steps: readonly StepWords[],
): readonly Scope[] | 'owner' | null {
  if (held === 'owner') return null
  const needs = steps.map(stepNeeds)
  if (held === null || needs.includes('owner')) return 'owner'
  const lacking = [...new Set(needs.flat() as Scope[])].filter((scope) => !held.includes(scope))
  return lacking.length > 0 ? lacking : null
}

/** Of one rule. */
export const STEP_COUNT_MOST = 20

const MARKS = [300, 60, 30, 10]

/** When a countdown of so many seconds is told: at once, then with so many seconds left. */
export const countdownMarks = (seconds: number): number[] => [
  seconds,
  ...MARKS.filter((mark) => mark < seconds),
]

/** Stands for the time that is left in a message with a countdown. */
export const TIME_LEFT = '{time}'
