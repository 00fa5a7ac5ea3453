import path from 'node:path'
import type { JarReader } from '../../extensions/jars/jar-reader.ts'
import type { Format } from '../../../extensions/jars/facts.ts'

/** The first one present counts. */
const READ: Readonly<Record<string, readonly Format[]>> = {
  fabric: ['fabric'],
  quilt: ['quilt', 'fabric'],
  forge: ['forge'],
  neoforge: ['neoforge', 'forge'],
}
/** Time limit for reading all mods of a pack, in ms; the rest are taken as they are. */
const LOOK_MS = 60_000

/** Finds mods that declare themselves client-only. Reads these untrusted jars in a separate thread. */
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
