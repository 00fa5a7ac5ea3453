// What the parts of the stand-in for a Pterodactyl panel have in common.

export interface DoubleServer {
  uuid: string
  name: string
  folder: string
  owner: boolean
  permissions: string[]
  status: string | null
  state: 'offline' | 'starting' | 'running' | 'stopping'
  suspended: boolean
  isTransferring?: boolean
  /** Newer panels call servers by `serv_` and more. */
  identifier?: string
  backups: DoubleBackup[]
  schedules: DoubleSchedule[]
  users: DoubleUser[]
  /** Newest first. */
  log: DoubleEvent[]
}

export interface DoubleUser {
  uuid: string
  username: string
  email: string
  permissions: string[]
}

export interface DoubleEvent {
  event: string
  actor: string | null
  properties: unknown
  timestamp: string
  ip?: string
}

export interface DoubleTask {
  id: number
  action: string
  payload: string
  time_offset: number
  continue_on_failure: boolean
}

export interface DoubleSchedule {
  id: number
  name: string
  /** Minute, hour, day of the month, month, day of the week. */
  cron: string[]
  active: boolean
  onlineOnly: boolean
  processing: boolean
  lastRun: string | null
  tasks: DoubleTask[]
}

export interface DoubleBackup {
  uuid: string
  name: string
  locked: boolean
  done: boolean
  /** The archive, and the checksum that the panel tells. */
  file?: string
  checksum?: string
}

export type Answer = { status: number; body?: unknown; headers?: Record<string, string>; html?: string }
export type Handler = (asked: Asked) => Answer | Promise<Answer>
export interface Asked {
  url: URL
  params: string[]
  body: Buffer
  json: () => Record<string, unknown>
  server: DoubleServer
}

export const error = (status: number, code: string, detail: string): Answer => ({
  status,
  body: { errors: [{ code, status: String(status), detail }] },
})

/** What the panel says of a server that isn't at rest; null of others. */
export function unusable({ suspended, status, isTransferring }: DoubleServer): string | null {
  if (suspended) return 'This server is currently suspended and the functionality requested is unavailable.'
  if (status === 'restoring_backup')
    return 'This server is currently restoring from a backup, please try again later.'
  if (status !== null)
    return 'This server has not yet completed its installation process, please try again later.'
  return isTransferring
    ? 'This server is currently being transferred to a new machine, please try again later.'
    : null
}

export const notFound = (): Answer =>
  error(404, 'NotFoundHttpException', 'The requested resource could not be found.')

/** What a subuser needs a permission for. */
export const forbidden = ({ permissions }: DoubleServer, needed: string): Answer | null =>
  permissions.includes('*') || permissions.includes(needed)
    ? null
    : error(403, 'HttpForbiddenException', 'This action is unauthorized.')

/** A 422 at one field. */
export const invalid = (field: string, detail: string): Answer => ({
  status: 422,
  body: {
    errors: [
      { code: 'ValidationException', status: '422', detail, meta: { source_field: field, rule: 'required' } },
    ],
  },
})
