import { Refusal } from '../../../host/refusal.ts'
import type { Extensions, ExtensionsPorts } from './extensions.ts'
import { loadsOf } from '../../../extensions/folder/loads.ts'
import { chosenFor } from '../../../extensions/installed/planning.ts'

/** Updates everything that can be, as a person who leaves all choices as they are. */
export const scheduledUpdates = (extensions: Extensions, ports: ExtensionsPorts) => ({
  isOffered(serverId: string): boolean {
    const row = ports.store.servers.byId(serverId)
    if (!row || !ports.catalogs) return false
    return loadsOf({ software: ports.loadsAs(row), version: row.softwareVersion }) !== null
  },

  /** The names of what it updates; empty if nothing is new. Rejects with refusals. */
  async update(serverId: string, signal: AbortSignal): Promise<string[]> {
    extensions.installs.requireIdle(serverId)
    const of = await extensions.of(serverId)
    const chosen = await chosenFor(of, ports, { except: new Set(), versions: [] }, signal).catch(
      (error: unknown) => {
        if (error instanceof Refusal && error.code === 'extensions.nothing-new') return []
        throw error
      },
    )
    if (chosen.length === 0) return []
    const cancel = () => void extensions.installs.cancel(serverId).catch(() => undefined)
    signal.addEventListener('abort', cancel, { once: true })
    try {
      await extensions.installs.install(
        serverId,
        () => Promise.resolve(chosen),
        () => signal.throwIfAborted(),
      )
    } finally {
      signal.removeEventListener('abort', cancel)
    }
    return chosen.map(({ version }) => version.projectName)
  },

  /** Undoes what was changed since the last good start. */
  async undo(serverId: string): Promise<void> {
    await (await extensions.of(serverId)).undo(() => extensions.installs.requireIdle(serverId))
    extensions.tell(serverId, true)
  },
})
