import type { Draft, ServerRef } from '../../../contract/bridge/values.ts'
import { PREFIX } from './index.ts'

/** Total characters of all drafts; browsers store about five million per origin. */
export const DRAFTS_MOST = 4_500_000

/** Unsaved texts that survive a reload. The oldest go first; texts that are too long are not kept. */
export class Drafts {
  readonly #storage: Storage
  readonly #most: number

  constructor(storage: Storage, most = DRAFTS_MOST) {
    this.#storage = storage
    this.#most = most
  }

  read(server: ServerRef, path: string): Draft | null {
    return parse(this.#storage.getItem(keyOf(server, path)))
  }

  /** Returns false if it could not be kept. */
  keep(server: ServerRef, path: string, draft: Draft): boolean {
    const key = keyOf(server, path)
    const value = JSON.stringify(draft)
    if (key.length + value.length > this.#most) {
      this.#storage.removeItem(key)
      return false
    }
    const others = this.#oldestFirst().filter((one) => one.key !== key)
    let room = this.#most - key.length - value.length - others.reduce((sum, one) => sum + one.size, 0)
    for (;;) {
      try {
        if (room >= 0) {
          this.#storage.setItem(key, value)
          return true
        }
      } catch {
        // The browser's quota is smaller than assumed.
      }
      const oldest = others.shift()
      if (!oldest) return false
      this.#storage.removeItem(oldest.key)
      room += oldest.size
    }
  }

  remove(server: ServerRef, path: string): void {
    this.#storage.removeItem(keyOf(server, path))
  }

  #oldestFirst(): { key: string; size: number; at: number }[] {
    return Object.keys(this.#storage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => {
        const value = this.#storage.getItem(key) ?? ''
        return { key, size: key.length + value.length, at: parse(value)?.at ?? 0 }
      })
      .sort((a, b) => a.at - b.at)
  }
}

function keyOf({ connectionId, serverId }: ServerRef, path: string): string {
  return PREFIX + JSON.stringify([connectionId, serverId, path])
}

function parse(value: string | null): Draft | null {
  if (value === null) return null
  try {
    const draft = JSON.parse(value) as Partial<Draft> | null
    if (typeof draft?.text !== 'string' || typeof draft.at !== 'number') return null
    return { text: draft.text, etag: typeof draft.etag === 'string' ? draft.etag : null, at: draft.at }
  } catch {
    return null
  }
}
