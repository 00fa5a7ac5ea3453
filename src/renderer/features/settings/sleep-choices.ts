import type { ServerConfig } from '../../../contract/bridge/values.ts'

export const OFF = 'off'
export const AFTER_MINUTES = ['5', '10', '15', '30', '60', '120']
export const WAKES = ['anybody', 'whitelist', 'nobody'] as const
export type Wake = (typeof WAKES)[number]

export interface SleepChoice {
  /** Minutes, or off. */
  sleepAfter: string
  sleepWake: Wake
}

const USUAL: Wake = 'anybody'

export function sleepChoice({ sleep }: Pick<ServerConfig, 'sleep'>): SleepChoice {
  const wake = WAKES.find((one) => one === sleep?.wake) ?? USUAL
  return { sleepAfter: sleep?.afterMinutes ? String(sleep.afterMinutes) : OFF, sleepWake: wake }
}

export const sleepRule = ({ sleepAfter, sleepWake }: SleepChoice) =>
  sleepAfter === OFF ? null : { afterMinutes: Number(sleepAfter), wake: sleepWake }
