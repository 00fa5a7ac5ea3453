import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { DownloadsFolder } from '../../../contract/bridge/computer-calls.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { problem } from '../../base/problem.ts'
import type { Cache } from '../../views/cache/cache.ts'
import { storedJson } from '../../storage/stored-json.ts'

const StoredFolder = z.object({
  folder: z
    .string()
    .max(32_768)
    .refine((path) => isAbsolute(path))
    .nullable(),
})

export interface DownloadsLocation {
  /** For downloads. Throws `conflict` if the chosen folder is missing: it is never recreated. */
  now: () => Promise<string>
  /** For the panel's own saves, which must not fail: falls back to the usual folder. */
  always: () => Promise<string>
}

export class DownloadFolder implements DownloadsLocation {
  readonly #cache: Pick<Cache, 'readSetting' | 'writeSetting'>
  readonly #usual: string
  #chosen: string | null | undefined

  constructor(cache: Pick<Cache, 'readSetting' | 'writeSetting'>, usual: string) {
    this.#cache = cache
    this.#usual = usual
  }

  async now(): Promise<string> {
    const folder = await this.read()
    if (folder.isChosen && !folder.isThere)
      throw problem('conflict', localized('computer.no-downloads', { folder: folder.path }))
    return folder.path
  }

  async always(): Promise<string> {
    const folder = await this.read()
    return folder.isThere ? folder.path : this.#usual
  }

  async read(): Promise<DownloadsFolder> {
    const chosen = await this.#read()
    if (chosen === null) return { path: this.#usual, isChosen: false, isThere: true }
    const isThere = await stat(chosen).then(
      (entry) => entry.isDirectory(),
      () => false,
    )
    return { path: chosen, isChosen: true, isThere }
  }

  async choose(folder: string | null): Promise<DownloadsFolder> {
    await this.#cache.writeSetting('downloads', JSON.stringify({ folder }))
    this.#chosen = folder
    return await this.read()
  }

  async #read(): Promise<string | null> {
    if (this.#chosen !== undefined) return this.#chosen
    const stored = StoredFolder.safeParse(storedJson(await this.#cache.readSetting('downloads')))
    return (this.#chosen ??= stored.success ? stored.data.folder : null)
  }
}
