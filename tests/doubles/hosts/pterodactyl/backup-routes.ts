import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { type DoubleBackup, error, type Handler } from './routes.ts'
import type { Wings } from './wings.ts'

const BACKUPS_MOST = 2

export const backupLists: Record<string, Handler> = {
  'GET /backups': ({ server }) => ({
    status: 200,
    body: {
      object: 'list',
      data: server.backups.map(backupObject),
      meta: { backup_count: server.backups.length },
    },
  }),
  'POST /backups': ({ server, json }) => {
    if (server.backups.length >= BACKUPS_MOST)
      return error(
        400,
        'TooManyBackupsException',
        'Cannot create a new backup, this server has reached its limit of 2 backups.',
      )
    const backup = {
      uuid: randomUUID(),
      name: (json()['name'] as string | undefined) ?? 'Backup',
      locked: false,
      done: false,
    }
    server.backups.push(backup)
    return { status: 200, body: backupObject(backup) }
  },
}

/** What is done with one backup. */
export function backupHandler(
  route: string,
  panel: { wings: Pick<Wings, 'download'>; restored: unknown[] },
): Handler | undefined {
  const match = /^(\w+) \/backups\/([^/]+)(\/\w+)?$/.exec(route)
  if (!match) return undefined
  return ({ server, json }) => {
    const backup = server.backups.find(({ uuid }) => uuid === match[2])
    if (!backup) return error(404, 'NotFoundHttpException', 'The requested resource could not be found.')
    switch (`${match[1]} ${match[3] ?? ''}`) {
      case 'GET ':
        return { status: 200, body: backupObject(backup) }
      case 'GET /download':
        if (!backup.file) return error(500, 'HttpException', 'An error was encountered.')
        return {
          status: 200,
          body: { object: 'signed_url', attributes: { url: panel.wings.download(backup.file) } },
        }
      case 'POST /lock':
        backup.locked = !backup.locked
        return { status: 200, body: backupObject(backup) }
      case 'DELETE ':
        if (backup.locked)
          return error(400, 'BackupLockedException', 'Cannot delete a backup that is marked as locked.')
        server.backups = server.backups.filter((one) => one !== backup)
        return { status: 204 }
      case 'POST /restore':
        panel.restored.push({ backup: backup.uuid, truncate: json()['truncate'] })
        server.status = 'restoring_backup'
        return { status: 204 }
      default:
        return error(405, 'MethodNotAllowedHttpException', 'This method is not allowed.')
    }
  }
}

const backupObject = ({ uuid, name, locked, done, file, checksum }: DoubleBackup) => ({
  object: 'backup',
  attributes: {
    ...{
      uuid,
      name,
      is_successful: done,
      is_locked: locked,
      ignored_files: [],
      checksum: checksum ?? null,
      bytes: file ? statSync(file).size : done ? 5000 : 0,
    },
    ...{ created_at: '2026-11-01T10:00:00+00:00', completed_at: done ? '2026-11-01T10:01:00+00:00' : null },
  },
})
