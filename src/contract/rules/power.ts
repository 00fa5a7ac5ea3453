import type { PlayerCount, PowerAction, Server } from '../areas/servers.ts'

/** What happens when somebody stops or restarts a server with players on it. */
export type PowerWarning = 'ask' | 'warn' | 'now'

type TargetServer = Pick<Server, 'status' | 'players' | 'role' | 'software'>

/** How long players are warned, in ms. */
export const WARNING_MS = 60_000

/** Players that an action would disconnect; 0 if unknown. */
export const disconnects = (
  action: PowerAction,
  { status, players }: { status?: Server['status']; players?: PlayerCount | null | undefined },
): number => (action !== 'start' && status === 'online' ? (players?.online ?? 0) : 0)

/** Warnings are console commands. Proxies have no `say`. */
export const mayWarn = ({ role, software }: TargetServer): boolean =>
  software?.proxy !== true && (!Array.isArray(role) || role.includes('console.send'))

/** The only place that decides whether to ask, to warn, or to act at once. */
export function powerWarning(
  action: PowerAction,
  server: TargetServer,
  remembered: PowerWarning,
): PowerWarning {
  // What was not saved is lost, whoever is on.
  if (action === 'kill') return 'ask'
  if (disconnects(action, server) === 0 || remembered === 'now') return 'now'
  return remembered === 'warn' && mayWarn(server) ? 'warn' : 'ask'
}

const STOPPED: ReadonlySet<unknown> = new Set(['offline', 'crashed', 'sleeping'])

/** Whether a server with this status has no process. */
export const isStopped = (status: unknown): boolean => STOPPED.has(status)
