import type { DatabaseSync } from 'node:sqlite'
import { NOTIFICATIONS_KEPT } from '../../contract/areas/notifications.ts'

/** Times in ms since 1970. */
export interface NotificationRow {
  /** Order of arrival over all accounts. */
  seq: number
  id: string
  kind: string
  /** Null: concerns no server, or one the account has no access to yet. */
  serverId: string | null
  invitationId: string | null
  /** JSON: the parameters of its message. */
  said: string
  createdAt: number
  /** In ms of observed uptime. */
  agesFrom: number
  readAt: number | null
}

type NewNotification = Omit<NotificationRow, 'seq'> & { accountId: string }

const NOTIFICATION = `seq, notifications.id AS id, kind, notifications.server_id AS serverId,
  invitation_id AS invitationId, said, notifications.created_at AS createdAt, ages_from AS agesFrom, read_at AS readAt`

export type NotificationsTable = ReturnType<typeof notificationsTable>

export function notificationsTable(db: DatabaseSync) {
  const all = db.prepare(
    `SELECT ${NOTIFICATION} FROM notifications LEFT JOIN invitations ON invitations.id = invitation_id
     WHERE account_id = ?1 AND ages_from > ?2
       AND (invitation_id IS NULL OR invitations.expires_at > ?3) ORDER BY seq DESC`,
  )
  const insert = db.prepare(
    `INSERT INTO notifications (id, account_id, kind, server_id, invitation_id, said, created_at, ages_from, read_at)
     SELECT :id, id, :kind, :serverId, :invitationId, :said, :createdAt, :agesFrom, :readAt FROM accounts WHERE id = :accountId
       AND (:serverId IS NULL OR EXISTS (SELECT 1 FROM servers WHERE id = :serverId))`,
  )
  const trim = db.prepare(
    `DELETE FROM notifications WHERE account_id = ?1 AND seq <= (SELECT seq FROM notifications
       WHERE account_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ${NOTIFICATIONS_KEPT})`,
  )
  const forgetOld = db.prepare('DELETE FROM notifications WHERE ages_from <= ?')
  const forgetInvitation = db.prepare('DELETE FROM notifications WHERE account_id = ? AND invitation_id = ?')
  const markRead = db.prepare(
    'UPDATE notifications SET read_at = ? WHERE account_id = ? AND id = ? AND read_at IS NULL',
  )
  const newest = db.prepare('SELECT coalesce(max(seq), 0) AS seq FROM notifications')

  return {
    /** Those of an account newer than `agesFrom`, newest first, without expired invitations. */
    all: (accountId: string, agesFrom: number, now: number) =>
      all.all(accountId, agesFrom, now) as unknown as NotificationRow[],
    /** Drops the oldest beyond the maximum. False if the account or the server is gone. */
    insert(row: NewNotification): boolean {
      const { changes } = insert.run({ ...row })
      trim.run(row.accountId)
      return changes > 0
    },
    forgetOld: (agesFrom: number) => void forgetOld.run(agesFrom),
    forgetInvitation: (accountId: string, id: string) => void forgetInvitation.run(accountId, id),
    markRead: (accountId: string, id: string, now: number) => markRead.run(now, accountId, id).changes > 0,
    newest: () => Number(newest.get()?.['seq']),
    ...settingsAndStates(db),
  }
}

function settingsAndStates(db: DatabaseSync) {
  const settings = db.prepare('SELECT settings FROM notification_settings WHERE account_id = ?')
  const change = db.prepare(
    `INSERT INTO notification_settings (account_id, settings) SELECT id, ?2 FROM accounts WHERE id = ?1
     ON CONFLICT (account_id) DO UPDATE SET settings = excluded.settings`,
  )
  const nearlyFull = db.prepare('SELECT 1 FROM nearly_full WHERE server_id IS ?')
  const fill = db.prepare(
    'INSERT INTO nearly_full (server_id) SELECT ?1 WHERE ?1 IS NULL OR EXISTS (SELECT 1 FROM servers WHERE id = ?1)',
  )
  const empty = db.prepare('DELETE FROM nearly_full WHERE server_id IS ?')

  return {
    settings: (accountId: string) => settings.get(accountId)?.['settings'] as string | undefined,
    changeSettings: (accountId: string, json: string) => void change.run(accountId, json),
    /** Last known state; null: the disk. */
    isNearlyFull: (serverId: string | null) => nearlyFull.get(serverId) !== undefined,
    setNearlyFull(serverId: string | null, is: boolean): void {
      empty.run(serverId)
      if (is) fill.run(serverId)
    },
  }
}
