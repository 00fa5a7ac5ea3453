import path from 'node:path'
import type { JarReader } from '../../extensions/jars/jar-reader.ts'
import type { Format } from '../../extensions/jars/facts.ts'

/** What each loader reads of a mod, the first that is there. */
const READ: Readonly<Record<string, readonly Format[]>> = {
  fabric: ['fabric'],
  quilt: ['quilt', 'fabric'],
  forge: ['forge'],
  neoforge: ['neoforge', 'forge'],
}
/** Reading all mods of one pack may take so long, in milliseconds; then the others are taken as they are. */
const LOOK_MS = 60_000

/**
 * Tells of the mods of one pack whether they say of themselves that they are for players' games alone: packs often name such
 * mods without saying so. They are a stranger's: they are read in a thread of its own, which ends where one takes too long.
 */
export class ClientOnlyMods {
  readonly #reader: JarReader
  readonly #formats: readonly Format[]
  readonly #serverId: string
  #left = LOOK_MS

  constructor(reader: JarReader, loader: string, serverId: string) {
    this.#reader = reader
    this.#serverId = serverId
    this.#formats = READ[loader] ?? []
  }

  /** What cannot be read says nothing. */
  async has(jar: string): Promise<boolean> {
    if (this.#formats.length === 0 || this.#left <= 0) return false
    const from = performance.now()
    const root = path.dirname(jar)
    const folders = { serverId: this.#serverId, root, staging: root, trash: root }
    const read = await this.#reader.read(folders, path.basename(jar))
    this.#left -= performance.now() - from
    const said = this.#formats.flatMap((format) => read?.facts?.find((one) => one.format === format) ?? [])
    return said[0]?.side === 'client'
  }
}
