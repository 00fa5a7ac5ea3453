import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeDataFile } from '../../host/data-file.ts'

/** An empty file for each server of which something holds, such as that it sleeps, so that the next service knows it. */
export class ServerMarks {
  readonly #folder: string
  readonly #on: Set<string>

  /** `name`: of the folder that holds the files. */
  constructor(dataDir: string, name: string) {
    this.#folder = path.join(dataDir, name)
    this.#on = new Set(namesIn(this.#folder))
  }

  has(serverId: string): boolean {
    return this.#on.has(encodeURIComponent(serverId))
  }

  set(serverId: string): void {
    const name = encodeURIComponent(serverId)
    if (this.#on.has(name)) return
    this.#on.add(name)
    try {
      writeDataFile(path.join(this.#folder, name), '')
    } catch {
      // On a full disk it is remembered until the service ends.
    }
  }

  clear(serverId: string): void {
    const name = encodeURIComponent(serverId)
    if (!this.#on.delete(name)) return
    try {
      rmSync(path.join(this.#folder, name), { force: true })
    } catch {
      // It may hold again after a restart of the service.
    }
  }
}

/** A damaged folder costs what held, and never a start of the service. */
function namesIn(folder: string): string[] {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return readdirSync(folder)
  } catch {
    return []
  }
}
