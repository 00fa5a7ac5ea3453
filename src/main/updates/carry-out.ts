import type { ExitPlan, UpdateEngine } from './update-engine.ts'

/**
 * Carries a plan out, once the panel has closed. An update that cannot be installed is no reason to be left without a
 * panel: who expected the new version gets this one back.
 * @param by the system gives no time for an installation, which would be killed halfway; servers that keep running need the
 * files of this version
 * @returns whether the panel is to be started again, as this version or the new one
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
