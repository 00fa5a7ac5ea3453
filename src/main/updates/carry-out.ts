import type { ExitPlan, UpdateEngine } from './update-engine.ts'

/**
 * Carries out a plan after the panel closed. If installing fails, this version restarts instead of the new one.
 * @param by `system` would kill an installation halfway; with `keeping`, servers still need this version's files
 * @returns whether to restart the panel, in this version or the new one
 */
export function carryOut(
  plan: ExitPlan,
  by: 'person' | 'system' | 'keeping',
  engine: UpdateEngine | null,
  failed: (error: unknown) => void,
): boolean {
  if (plan === 'nothing' || by !== 'person' || !engine) return false
  const restart = plan === 'install-and-restart'
  try {
    return engine.install(restart)
  } catch (error) {
    failed(error)
    return restart
  }
}
