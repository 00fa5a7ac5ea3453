import { CopyRecords, type CopyRecord } from '../../changes/copy-records.ts'
import type { BackupRow } from '../../store/backups.ts'
import { CopyStore } from './copy-store.ts'

const CHANGE_OF = { change: 'software', reset: 'reset', undo: 'restore' } as const

/** The copies from before changes, as rows among the backups. Changes make them and push them out. */
export class CopyRows {
  readonly #folderOf: (serverId: string) => string

  constructor(folderOf: (serverId: string) => string) {
    this.#folderOf = folderOf
  }

  of(serverId: string): BackupRow[] {
    return this.#records(serverId).list.map((copy) => rowOf(serverId, copy))
  }

  put({ serverId, id, name, locked, tried }: BackupRow): void {
    this.#records(serverId).change(id, { name, locked, tried })
  }

  contents(serverId: string): CopyStore {
    return new CopyStore(this.#folderOf(serverId))
  }

  #records(serverId: string): CopyRecords {
    return new CopyRecords(this.#folderOf(serverId))
  }
}

const rowOf = (serverId: string, copy: CopyRecord): BackupRow => ({
  ...{ id: copy.id, serverId, engine: 'copy', name: copy.name ?? null, cause: 'before-change' },
  ...{ change: copy.isPack ? 'modpack' : CHANGE_OF[copy.reason], state: 'done', createdAt: copy.at },
  ...{ bytes: copy.bytes, addedBytes: copy.bytes, files: null, locked: copy.locked ?? false },
  ...{ unpaused: false, tried: copy.tried ?? null, missing: [], missingCount: 0, error: null },
  software: { ...copy.software, installed: copy.installed, pack: copy.pack ?? null },
})
