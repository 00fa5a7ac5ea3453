import { setTimeout as wait } from 'node:timers/promises'
import { operations as declared } from '../../contract/areas/index.ts'
import { ICON_BYTES } from '../../contract/areas/servers.ts'
import { ICON_FILE, iconAddress } from '../../contract/rules/game/server-icon.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import { type HostOperations, HostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { type GameFiles, UNUSABLE } from './game-files.ts'

/** Hosts allow few requests a minute, and a list shows many servers. */
const KEPT_MS = 60 * 60_000
const PAUSE_MS = 300
const ICONS_MOST = 2000

/** Icons of servers, each read seldom, one after the other. */
export class ServerIcons {
  readonly #filesOf: (id: string) => Pick<GameFiles, 'read'>
  readonly #without: ReadonlySet<number>
  readonly #known = new Map<string, { at: number; picture: string | null }>()
  readonly #lanes = new Lanes({ atOnce: 1 })

  /** `without`: statuses of a server that has none to show, such as one whose files aren't shared. */
  constructor(filesOf: (id: string) => Pick<GameFiles, 'read'>, without: readonly number[]) {
    this.#filesOf = filesOf
    this.#without = new Set(without)
  }

  async of(id: string, caller: Caller): Promise<string | null> {
    const known = this.#known.get(id)
    if (known && performance.now() - known.at < KEPT_MS) return known.picture
    return this.#lanes.run(
      id,
      async () => {
        const picture = await this.#read(id, caller)
        this.#known.delete(id)
        this.#known.set(id, { at: performance.now(), picture })
        for (const oldest of this.#known.keys()) {
          if (this.#known.size <= ICONS_MOST) break
          this.#known.delete(oldest)
        }
        await wait(PAUSE_MS, undefined, { ref: false })
        return picture
      },
      caller.signal,
    )
  }

  forget(id: string): void {
    this.#known.delete(id)
  }

  async #read(id: string, caller: Caller): Promise<string | null> {
    try {
      const png = await this.#filesOf(id).read(ICON_FILE, ICON_BYTES, caller)
      return png === null || png === UNUSABLE ? null : iconAddress(png)
    } catch (error) {
      if (error instanceof HostRefusal && this.#without.has(error.status)) return null
      throw error
    }
  }
}

/** What may change an icon. */
const CHANGING: ReadonlySet<string> = new Set(
  declared.filter(({ stale }) => stale.includes('servers.icon')).map(({ id }) => id),
)

type Handler = (caller: { params: { serverId: string } }) => unknown

/** An adapter's operations with icons, in place. */
export function withIcons(operations: HostOperations, icons: ServerIcons): HostOperations {
  const changing = Object.entries(operations).filter(([id]) => CHANGING.has(id))
  const watched = changing.map(([id, handler]) => {
    const handle: Handler = async (caller) => {
      try {
        return await (handler as Handler)(caller)
      } finally {
        icons.forget(caller.params.serverId)
      }
    }
    return [id, handle]
  })
  return Object.assign(operations, Object.fromEntries(watched) as HostOperations, {
    'servers.icon': async (caller) => ({ picture: await icons.of(caller.params.serverId, caller) }),
  } satisfies HostOperations)
}
