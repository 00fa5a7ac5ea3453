import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeDataFile } from '../../host/data-file.ts'

/** An empty file for each sleeping server, so that it sleeps on after a restart of the service. */
export class SleepMarks {
  readonly #folder: string
  readonly #on: Set<string>

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, 'sleeping')
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
      // On a full disk it is remembered until the service ends; then the server is stopped, as without sleep.
    }
  }

  clear(serverId: string): void {
    const name = encodeURIComponent(serverId)
    if (!this.#on.delete(name)) return
    try {
      rmSync(path.join(this.#folder, name), { force: true })
    } catch {
      // It may sleep after a restart of the service, and wakes when somebody joins.
    }
  }
}

/** A damaged folder costs who slept, and never a start of the service. */
function namesIn(folder: string): string[] {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return readdirSync(folder)
  } catch {
    return []
  }
}
