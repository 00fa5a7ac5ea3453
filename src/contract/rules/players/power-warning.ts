import type { PlayerCount, PowerAction, Server } from '../../areas/servers.ts'

/** What happens when somebody stops or restarts a server with players on it. */
export type PowerWarning = 'ask' | 'warn' | 'now'

type Asked = Pick<Server, 'status' | 'players' | 'role' | 'software'>

/** How long players are warned, in ms. */
export const WARNING_MS = 60_000

/** Players that an action would disconnect; 0 if unknown. */
export const disconnects = (
  action: PowerAction,
  { status, players }: { status?: Server['status']; players?: PlayerCount | null | undefined },
): number => ((action === 'stop' || action === 'restart') && status === 'online' ? (players?.online ?? 0) : 0)

/** Warnings are console commands. Proxies have no `say`. */
export const mayWarn = ({ role, software }: Asked): boolean =>
  software?.proxy !== true && (!Array.isArray(role) || role.includes('console.send'))

/** The only place that decides whether to ask, to warn, or to act at once. */
export function powerWarning(action: PowerAction, server: Asked, remembered: PowerWarning): PowerWarning {
  if (disconnects(action, server) === 0 || remembered === 'now') return 'now'
  return remembered === 'warn' && mayWarn(server) ? 'warn' : 'ask'
}
