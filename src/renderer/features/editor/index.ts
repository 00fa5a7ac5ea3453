import type { Feature } from '../feature.ts'

export const editor: Feature = {
  keepOf: (connectionIds) => {
    for (const storage of [localStorage, sessionStorage]) keepDraftsOf(storage, connectionIds)
  },
}

/** Apart from drafts, which only the editor loads: this is needed wherever somebody signs out. */
export const PREFIX = 'draft:'

/** Drops drafts of connections that are gone; signing out wipes. */
export function keepDraftsOf(storage: Storage, connectionIds: ReadonlySet<string>): void {
  for (const key of Object.keys(storage)) {
    if (!key.startsWith(PREFIX)) continue
    const [connectionId] = JSON.parse(key.slice(PREFIX.length)) as string[]
    if (connectionId === undefined || !connectionIds.has(connectionId)) storage.removeItem(key)
  }
}
