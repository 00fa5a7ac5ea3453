import { constants, lstatSync } from 'node:fs'
import { copyFile, open, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Logger } from 'pino'
import type { PackChange, SoftwareChoice } from '../change-words.ts'
import type { ServerChanges } from '../server-changes.ts'
import { JarReader } from '../../extensions/jars/jar-reader.ts'
import type { Clock } from '../../base/clock.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import { asRefusal, notFile } from '../../files/names/refusals.ts'
import type { DiskPath } from '../../files/names/raw-names.ts'
import { READ_FLAGS } from '../../files/safe-fs/open-in.ts'
import { Refusal } from '../../../host/refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { Downloads } from '../../software/downloads/downloads.ts'
import type { InstallPorts } from '../../software/software.ts'
import { readWorldText } from '../../worlds/world-file.ts'
import type { ServerRow } from '../../store/servers.ts'
import { PACK_NAMES_MOST } from '../../../contract/areas/modpacks.ts'
import { beyond, namesOf } from './about-pack.ts'
import { ClientOnlyMods } from './client-only.ts'
import { AS_BEFORE, chosenOf, type PackWish } from './choose-files.ts'
import { type FileComparison, PackComparison } from './compare-pack.ts'
import { type ServerHashes, KeptHashes } from './kept-hashes.ts'
import type { CatalogFile, PackCatalog } from '../../../extensions/catalogs/pack-catalog.ts'
import type { PackRecord, WantedPack } from '../pack-record.ts'
import {
  type PackSettings,
  SETTINGS_BYTES,
  SETTINGS_FILE,
  settingsToSet,
  withSettings,
} from './pack-settings.ts'
import { openPack, PACK_BYTES_MOST, type OpenedSource, type PackSource } from './read-pack.ts'
import {
  needsInternet,
  noCatalog,
  noSoftware,
  notFound,
  notInstalled,
  tooLarge,
} from '../../../extensions/catalogs/pack-refusals.ts'
import { stagePack } from './stage-pack.ts'

export interface PacksPorts {
  changes: ServerChanges
  runtime: Pick<Runtime, 'catalog' | 'versions' | 'software' | 'startOnlyWhere'>
  files: Pick<AllServerFiles, 'of'>
  /** Account id of the server's owner. */
  ownerOf: (serverId: string) => string
  clock: Clock
  log: Logger
  /** Null: only uploaded packs can be installed. */
  catalogs: { packs: PackCatalog; downloads: Pick<Downloads, 'fetch'> } | null
  sent: {
    /** Returns a release function. Throws 404 `imports.not-found`, 409 `imports.busy`. */
    hold: (importId: string) => () => void
    endUnused: (importId: string) => Promise<void>
  }
}

export class Packs {
  readonly #ports: PacksPorts
  readonly #reader: JarReader
  readonly #hashes = new KeptHashes()
  readonly #stop: () => void

  constructor(ports: PacksPorts) {
    this.#ports = ports
    this.#reader = new JarReader(ports.ownerOf)
    this.#stop = ports.runtime.startOnlyWhere((serverId) => {
      const wanted = ports.changes.wantedPackOf(serverId)
      if (wanted) throw notInstalled(wanted.name)
    })
  }

  async close(): Promise<void> {
    this.#stop()
    await this.#reader.close()
  }

  get catalog(): PackCatalog {
    return this.#catalogs.packs
  }

  get #catalogs(): NonNullable<PacksPorts['catalogs']> {
    const { catalogs } = this.#ports
    if (!catalogs) throw noCatalog()
    return catalogs
  }

  /** Downloads and opens a pack. Throws catalog, download, file and `openPack` errors. */
  async look(source: PackSource, signal: AbortSignal): Promise<OpenedSource> {
    if ('path' in source) return this.#lookAtFile(source, signal)
    const { packs, downloads } = this.#catalogs
    const version = await packs.version(source.versionId, signal)
    if (!version.file) throw notFound()
    if ((version.file.size ?? 0) > PACK_BYTES_MOST)
      throw tooLarge('larger-than-taken', { most: PACK_BYTES_MOST })
    const at = await downloads.fetch(version.file, { signal })
    const pack = await openPack(at, packs.base)
    return { source, pack, version, done: async () => pack.close() }
  }

  /** Opens a temporary copy of a pack in a server's folder or an upload, so nothing can change it meanwhile. */
  async #lookAtFile(source: Exclude<PackSource, { versionId: string }>, signal: AbortSignal) {
    const { path: at } = source
    const release = 'importId' in source ? this.#ports.sent.hold(source.importId) : () => undefined
    const files = this.#ports.files.of('importId' in source ? source.importId : source.serverId)
    const temp = files.newTemp()
    try {
      using located = files.locate(at)
      const stat = lstatSync(located.at)
      if (!stat.isFile()) throw notFile(at)
      if (stat.size > PACK_BYTES_MOST) throw tooLarge('larger-than-taken', { most: PACK_BYTES_MOST })
      await files.requireSpace(stat.size)
      // Opened without following links; copied through the handle.
      await using handle = await open(located.at, READ_FLAGS)
      await copyFile(handleOf(handle.fd, located.at), temp, constants.COPYFILE_EXCL)
      signal.throwIfAborted()
      const pack = await openPack(temp, this.#ports.catalogs?.packs.base ?? null)
      if (!this.#ports.catalogs && pack.index.files.some(({ server }) => server === 'required')) {
        pack.close()
        throw needsInternet(pack.index.name)
      }
      const done = async () => {
        pack.close()
        await rm(temp, { force: true }).finally(release)
      }
      return { source, pack, version: null, done }
    } catch (error) {
      await rm(temp, { force: true }).finally(release)
      signal.throwIfAborted()
      throw asRefusal(error, at)
    }
  }

  /** Throws 422 `modpacks.software`. */
  async softwareOf({ pack }: OpenedSource): Promise<SoftwareChoice> {
    const { id, version, build } = pack.index.software
    const entry = this.#ports.runtime.software(id)
    const wants = `${entry?.name ?? id} for Minecraft ${version}`
    if (!entry?.installation) throw noSoftware(wants)
    const versions = await this.#ports.runtime.versions(id)
    if (!versions.some((one) => one.id === version)) throw noSoftware(wants)
    return { id, version, build }
  }

  /** Starts installing an opened pack and closes it at the end. Throws the errors of `ServerChanges.change`. */
  begin(
    serverId: string,
    looked: OpenedSource,
    to: SoftwareChoice,
    { license, isFirst, ...wish }: InstallWish,
  ): void {
    const { index } = looked.pack
    let packId: string | null = null
    const change: PackChange = {
      name: [index.name, index.version].filter(Boolean).join(' '),
      isFirst,
      prepare: async (folder, before, ports) => {
        const record = await this.#prepare(serverId, looked, folder, before, wish, ports)
        packId = record.id
        return record
      },
      done: () => looked.done().finally(() => this.#letGo(serverId, looked.source, packId)),
    }
    this.#ports.changes.change(serverId, to, license, change)
  }

  /** Deletes an upload once it is installed; after a failure it stays for another try. */
  async #letGo(serverId: string, source: PackSource, packId: string | null): Promise<void> {
    if (!('importId' in source) || packId === null) return
    if (this.#ports.changes.packOf(serverId)?.id === packId) await this.#ports.sent.endUnused(source.importId)
  }

  async #prepare(
    serverId: string,
    { pack, version }: OpenedSource,
    folder: string,
    before: PackRecord | null,
    wish: PackWish,
    ports: InstallPorts,
  ): Promise<PackRecord> {
    const files = this.#ports.files.of(serverId)
    const { index } = pack
    const chosen = chosenOf(pack, wish, before)
    const bytes = [...chosen.files, ...pack.overrides].reduce((sum, { size }) => sum + size, 0)
    await files.requireSpace(bytes)
    const comparison = await this.#compare(serverId, before, wish.overwrite, ports.signal)
    const downloads = this.#ports.catalogs?.downloads
    if (!downloads && chosen.files.length > 0) throw needsInternet(index.name)
    const fetching = downloads ?? { fetch: () => Promise.reject(needsInternet(index.name)) }
    const mods = new ClientOnlyMods(this.#reader, index.software.id, serverId)
    const staged = await stagePack(pack, { ...chosen, mods }, comparison, folder, fetching, ports)
    const { text, set, encoding } = await this.#settings(serverId, pack.settings, before)
    const changed = withSettings(text, set)
    if (changed !== null) await writeFile(path.join(folder, SETTINGS_FILE), changed, encoding)
    return {
      id: `pack-${randomUUID()}`,
      settings: pack.settings.values,
      name: index.name,
      version: version?.name ?? index.version,
      project: version?.project ?? null,
      versionId: version?.id ?? null,
      url: version?.url ?? null,
      at: this.#ports.clock.now(),
      software: index.software,
      files: staged.files,
      players: index.files
        .filter(({ client }) => client !== 'unsupported')
        .map(({ path, sha512, urls, client }) => ({
          ...{ path, sha512, url: urls[0]!, optional: client === 'optional' },
        })),
      ...{ leftOut: chosen.leftOut, taken: chosen.taken },
      clientOnly: [...staged.clientOnly, ...namesOf(chosen.clientOnly, 'mod')],
      kept: staged.kept.slice(0, PACK_NAMES_MOST),
      replaced: staged.replaced.slice(0, PACK_NAMES_MOST),
      removed: staged.removed,
    }
  }

  async foresee(server: ServerRow, { pack }: OpenedSource, signal: AbortSignal) {
    const before = this.#ports.changes.packOf(server.id)
    const comparison = await this.#compare(server.id, before, [], signal)
    const told: Record<'add' | 'replace' | 'same' | 'keep', string[]> = {
      ...{ add: [], replace: [], same: [], keep: [] },
    }
    const all: FileComparison[] = []
    for (const file of chosenOf(pack, AS_BEFORE, before).files) all.push(await comparison.fetched(file))
    for (const one of pack.overrides) all.push(await comparison.override(one))
    for (const { fate, to } of all) told[fate].push(to)
    const { removed, kept, yours } = await comparison.leftOver(all)
    const some = <T>(items: T[]) => items.slice(0, PACK_NAMES_MOST)
    const { set } = await this.#settings(server.id, pack.settings, before)
    const lists = {
      yours: [...all.flatMap((one) => one.yours ?? []), ...yours, ...comparison.added(all)],
      ...{ added: told.add, replaced: told.replace, removed, kept: [...told.keep, ...kept] },
    }
    return {
      ...{ before, settings: [...set].map(([key, value]) => ({ key, value })) },
      yours: some(lists.yours),
      ...{ added: some(lists.added), replaced: some(lists.replaced) },
      ...{ removed: some(lists.removed), kept: some(lists.kept) },
      more: beyond(lists),
      brought: new Set([...told.add, ...told.replace, ...told.same, ...removed]),
    }
  }

  async #settings(serverId: string, settings: PackSettings, before: PackRecord | null) {
    const files = this.#ports.files.of(serverId)
    const read = await readWorldText(files, SETTINGS_FILE, SETTINGS_BYTES, undefined, 'settings').catch(
      () => 'same' as const,
    )
    const { text = null, encoding = 'utf8' } = (read !== 'same' && read) || {}
    // Leave an unusable file alone.
    if (read === 'same') return { text, encoding, set: new Map<string, string>() }
    return { text, encoding, set: settingsToSet(settings, text, before && (before.settings ?? {})) }
  }

  now(serverId: string, pack: PackRecord, signal: AbortSignal): Promise<PackComparison> {
    return this.#compare(serverId, pack, [], signal, this.#hashes.of(serverId))
  }

  #compare(
    serverId: string,
    before: PackRecord | null,
    overwrite: readonly string[],
    signal: AbortSignal,
    kept: ServerHashes | null = null,
  ): Promise<PackComparison> {
    const projectsOf = async (hashes: readonly string[]) =>
      new Map([...(await this.known(hashes, signal))].map(([hash, { project }]) => [hash, project]))
    const given = { before, overwrite, projectsOf, hashes: kept, signal }
    return PackComparison.of(this.#ports.files.of(serverId), given)
  }

  /** Looks up files by SHA-512, as far as the catalog can be reached. */
  async known(hashes: readonly string[], signal: AbortSignal): Promise<Map<string, CatalogFile>> {
    try {
      return (await this.#ports.catalogs?.packs.filesBy(hashes, signal)) ?? new Map()
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Refusal) return new Map()
      throw error
    }
  }

  resume(serverIds: readonly string[]): void {
    for (const serverId of serverIds) {
      const wanted = this.#ports.changes.wantedPackOf(serverId)
      if (!wanted) continue
      this.install(serverId, wanted).catch((error: unknown) =>
        this.#ports.log.warn({ err: error, serverId }, 'the modpack of a new server could not be installed'),
      )
    }
  }

  /** Does nothing if the wish has changed meanwhile. Rejects if that can't start now. */
  async install(serverId: string, wanted: WantedPack): Promise<void> {
    const { versionId, sent, leaveOut, take = null } = wanted
    const source = versionId === null ? sent : { versionId }
    if (!source) return
    const looked = await this.look(source, AbortSignal.timeout(LOOK_MS))
    try {
      const to = await this.softwareOf(looked)
      // The user may have chosen something else or deleted the server meanwhile.
      const now = this.#ports.changes.wantedPackOf(serverId)
      if (now?.versionId !== versionId || now.sent?.importId !== sent?.importId) return await looked.done()
      this.begin(serverId, looked, to, { ...AS_BEFORE, leaveOut, take, license: null, isFirst: true })
    } catch (error) {
      await looked.done()
      throw error
    }
  }
}

export interface InstallWish extends PackWish {
  license: { by: string; at: number } | null
  isFirst: boolean
}

const LOOK_MS = 30 * 60_000

/** Reopens an open file through `/proc` where available. */
const handleOf = (fd: number, at: DiskPath): DiskPath =>
  process.platform === 'linux' ? `/proc/self/fd/${fd}` : at
