import type { DatabaseSync } from 'node:sqlite'

/** What has changed, whichever statement did that: one of ours, or the database where a server or an account goes. */
export interface ChangedRows {
  /** Addresses whose invitations are not what they were. */
  invited: ReadonlySet<string>
  /** Accounts of whose notifications some have gone. */
  notified: ReadonlySet<string>
}

/**
 * Tells which accounts' rows have changed. It is the database that says so, by triggers, so that no act can forget it: an
 * invitation goes by many of them, and with its server. Told after the step, once for all that it did.
 */
export class ToldRows {
  readonly #listeners = new Set<(changed: ChangedRows) => void>()
  #invited = new Set<string>()
  #notified = new Set<string>()
  #isDue = false

  constructor(db: DatabaseSync) {
    db.function('row_of_invitation', (email) => this.#note(this.#invited, email))
    db.function('row_of_notification', (accountId) => this.#note(this.#notified, accountId))
    // Of this connection alone: other programs that open the database know nothing of these functions.
    db.exec(`
      CREATE TEMP TRIGGER invitation_came AFTER INSERT ON main.invitations
        BEGIN SELECT row_of_invitation(NEW.email); END;
      CREATE TEMP TRIGGER invitation_changed AFTER UPDATE ON main.invitations
        BEGIN SELECT row_of_invitation(NEW.email); END;
      CREATE TEMP TRIGGER invitation_gone AFTER DELETE ON main.invitations
        BEGIN SELECT row_of_invitation(OLD.email); END;
      CREATE TEMP TRIGGER notification_gone AFTER DELETE ON main.notifications
        BEGIN SELECT row_of_notification(OLD.account_id); END;
    `)
  }

  /** Subscribes; answers what ends that. */
  on(listener: (changed: ChangedRows) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #note(where: Set<string>, whose: unknown): null {
    where.add(String(whose))
    if (!this.#isDue) {
      this.#isDue = true
      queueMicrotask(() => this.#tell())
    }
    return null
  }

  #tell(): void {
    const changed = { invited: this.#invited, notified: this.#notified }
    this.#invited = new Set()
    this.#notified = new Set()
    this.#isDue = false
    for (const listener of [...this.#listeners]) listener(changed)
  }
}
