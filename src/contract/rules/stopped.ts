const STOPPED: ReadonlySet<unknown> = new Set(['offline', 'crashed', 'sleeping'])

/** Whether a server with this status has no process. */
export const isStopped = (status: unknown): boolean => STOPPED.has(status)
