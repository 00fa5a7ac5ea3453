import type { DatabaseSync } from 'node:sqlite'

/** Rows changed by our statements or by cascading deletes. */
interface ChangedRows {
  invited: ReadonlySet<string>
  /** Accounts that lost notifications. */
  notified: ReadonlySet<string>
}

/**
 * Database triggers report changes, because many operations and cascades end invitations. Listeners are called once
 * per step, afterwards.
 */
export class RowChanges {
  readonly #listeners = new Set<(changed: ChangedRows) => void>()
  #invited = new Set<string>()
  #notified = new Set<string>()
  #isDue = false

  constructor(db: DatabaseSync) {
    db.function('row_of_invitation', (email) => this.#note(this.#invited, email))
    db.function('row_of_notification', (accountId) => this.#note(this.#notified, accountId))
    // TEMP: other programs opening the database lack these functions.
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
