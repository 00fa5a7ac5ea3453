import { isQuiet } from '../../contract/rules/quiet-hours.ts'
import { refusalText, type RefusalText } from '../../contract/messages/refusals/index.ts'
import type { RuntimeStatusInput } from '../runtime/types.ts'
import type { RuleText } from '../store/schedules.ts'

/** The first condition that is not met; null if all are. */
export function unmet(
  only: RuleText['only'],
  status: RuntimeStatusInput | null,
  now: number,
): RefusalText | null {
  if (!only) return null
  const on = status?.players?.online ?? 0
  if (only.online && status?.status !== 'online') return refusalText('schedules.unmet.online')
  if (only.players === 'none' && on > 0) return refusalText('schedules.unmet.none')
  if (only.players === 'some' && on === 0) return refusalText('schedules.unmet.some')
  if (!only.between || isQuiet(only.between, now)) return null
  const { begins, ends } = only.between
  return refusalText('schedules.unmet.between', { begins, ends })
}
