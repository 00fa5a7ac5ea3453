import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import type { ExternalFile as Shown } from '../../../../contract/bridge/external-editor-calls.ts'
import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { nameOf } from '../../../../contract/rules/paths.ts'
import { type LocalizedText, localized } from '../../../../contract/messages/localized-text.ts'
import { PanelProblem, problem } from '../../../base/problem.ts'
import type { SystemFiles } from '../../../desktop/file-dialogs.ts'
import { away } from '../../../base/backoff.ts'
import { fsProblem } from '../../../base/fs-problem.ts'
import { hashTag, readWhole, type FileContent, TEXT_MOST_BYTES } from '../contents.ts'
import { ExternalFile, type ExternalEditorPorts } from './external-file.ts'
import { hashOf, putBack, putHere, removeFile, removeFolder, savedIn, takeOut } from './local-copy.ts'
import { checkContent, checkName } from './openable.ts'
import { type ExternalFileRecord, idOfRecord, keepRecord, readRecord, recordFile } from './record.ts'

export const HANDED = 'edited files'
export const HANDED_MOST = 20
/** Including those of removed servers, which don't count toward `HANDED_MOST`. */
const ALL_MOST = 100
/** How long signing out and quitting wait for uploads, ms. */
const LEAVE_MS = 3000
const ROUNDS = 3

export interface ExternalFilesPorts extends Omit<ExternalEditorPorts, 'changed'> {
  /** Null in a browser. */
  system: Pick<SystemFiles, 'open' | 'reveal'> | null
  tell: (all: Shown[]) => void
  /** Copies into the downloads folder under a free name; returns the path. */
  keepAside: (file: string, name: string) => Promise<string>
  note: (said: LocalizedText) => void
}

export class ExternalFiles {
  readonly #ports: ExternalFilesPorts
  readonly #all = new Map<string, ExternalFile>()
  /** Pending opens by location: opening a file twice would make two copies. */
  readonly #opening = new Map<string, Promise<Shown>>()
  /** Wipes per connection, so that a download already running restores nothing. */
  readonly #wipes = new Map<string, number>()
  #started: Promise<void> | null = null

  constructor(ports: ExternalFilesPorts) {
    this.#ports = ports
  }

  /** Restores what was open when the panel ended; unreadable records are left alone. */
  start(): Promise<void> {
    return (this.#started ??= this.#start())
  }

  async #start(): Promise<void> {
    const { root, log } = this.#ports
    const entries = await readdir(root).catch(() => [])
    const ids = entries.map(idOfRecord).filter((id) => id !== null)
    for (const id of ids) {
      const record = await readRecord(root, id)
      if (!record) {
        log.warn('what was noted down of an edited file cannot be read', { id })
        continue
      }
      const file = new ExternalFile(id, record, this.#each)
      this.#all.set(id, file)
      await file.resume().catch((error: unknown) => log.warn('an edited file cannot be read', { error }))
    }
    if (this.#all.size > 0) this.#changed()
    this.#tellFound()
  }

  /** Unsent saves must be announced: the user may not look at the list. */
  #tellFound(): void {
    const found = [...this.#all.values()].filter(({ shown }) => shown.state.kind === 'found')
    const [first] = found
    if (!first) return
    const { note } = this.#ports
    if (found.length === 1) note(localized('external-editor.found-one', { name: first.name }))
    else note(localized('external-editor.found-some', { count: found.length }))
  }

  async list(): Promise<Shown[]> {
    await this.start()
    return this.#shown
  }

  async open(server: ServerRef, path: string, readOnly: boolean): Promise<Shown> {
    await this.start()
    const { system } = this.#ports
    if (!system) throw problem('unavailable', localized('desktop.not-here'))
    checkName(nameOf(path))
    const place = JSON.stringify([server.connectionId, server.serverId, path])
    const opening = this.#opening.get(place) ?? this.#open(system, server, path, readOnly)
    this.#opening.set(place, opening)
    return opening.finally(() => this.#opening.delete(place))
  }

  async #open(
    system: NonNullable<ExternalFilesPorts['system']>,
    server: ServerRef,
    path: string,
    readOnly: boolean,
  ): Promise<Shown> {
    const there = [...this.#all.values()].find(
      (one) =>
        one.path === path &&
        one.server.connectionId === server.connectionId &&
        one.server.serverId === server.serverId,
    )
    const file = there ?? (await this.#fetch(server, path, readOnly))
    if (there) await this.#freshen(there, readOnly)
    const fault = await system.open(file.file)
    // Stays listed, to be shown in its folder and opened by hand.
    if (fault !== '')
      throw problem('conflict', localized('external-editor.no-editor', { name: file.name, why: fault }), {
        retryable: false,
      })
    return file.shown
  }

  async #fetch(server: ServerRef, path: string, readOnly: boolean): Promise<ExternalFile> {
    const { root } = this.#ports
    const held = this.#shown.filter(({ isGone }) => !isGone).length
    if (held + this.#opening.size >= HANDED_MOST)
      throw problem('conflict', localized('external-editor.too-many', { most: HANDED_MOST }), {
        retryable: false,
      })
    const left = this.#all.size - held
    if (this.#all.size >= ALL_MOST)
      throw problem('conflict', localized('external-editor.too-many-left', { count: left }), {
        retryable: false,
      })
    const name = nameOf(path)
    const wipes = this.#wipes.get(server.connectionId)
    const whole = await this.#whole(server, path, name)
    checkContent(name, whole.bytes)
    const id = randomUUID()
    const record: ExternalFileRecord = {
      ...{ connectionId: server.connectionId, serverId: server.serverId, path, name, readOnly },
      ...{ etag: whole.etag ?? hashTag(whole.bytes), hash: hashOf(whole.bytes), sentAt: null },
    }
    const file = new ExternalFile(id, record, this.#each)
    try {
      await mkdir(root, { recursive: true, mode: 0o700 })
      // Write the record first, so the file's owner is always known.
      keepRecord(root, id, record)
      await putHere(file.folder, name, whole.bytes, readOnly)
      if (this.#wipes.get(server.connectionId) !== wipes)
        throw problem('not-found', localized('external-editor.stopped'))
    } catch (error) {
      await removeFile(file.file)
      await removeFolder(file.folder, name)
      await rm(recordFile(root, id), { force: true })
      throw fsProblem(error, name)
    }
    this.#all.set(id, file)
    file.watch()
    this.#changed()
    return file
  }

  /** Updates an unmodified copy from the server; opens the local one if the service is unreachable. */
  #freshen(file: ExternalFile, onlyRead: boolean): Promise<void> {
    return file.alone(async () => {
      if (!this.#all.has(file.id)) throw problem('not-found', localized('external-editor.stopped'))
      try {
        await file.permit(onlyRead)
        if (await file.isUnsent()) return
        const whole = await this.#whole(file.server, file.path, file.name)
        checkContent(file.name, whole.bytes)
        // An editor may have saved during the download.
        if (await file.isUnsent()) return
        const readOnly = file.shown.state.kind === 'read-only'
        // Don't replace an identical file: an open editor would ask about it.
        if (!file.isAgreed(whole.bytes) || !(await file.isHere()))
          await putHere(file.folder, file.name, whole.bytes, readOnly)
        file.agree(whole.etag ?? hashTag(whole.bytes), whole.bytes)
      } catch (error) {
        if (!(error instanceof PanelProblem && away.has(error.problem.code)))
          throw fsProblem(error, file.name)
      }
    })
  }

  async #whole(
    server: ServerRef,
    path: string,
    name: string,
  ): Promise<Extract<FileContent, { kind: 'bytes' }>> {
    const client = this.#ports.client(server.connectionId)
    const whole = await readWhole({ client, serverId: server.serverId, path })
    if (whole.kind === 'bytes') return whole
    throw problem('too-large', localized('external-editor.too-large', { name, most: TEXT_MOST_BYTES }), {
      retryable: false,
    })
  }

  async send(id: string, overwrite: boolean): Promise<void> {
    await (await this.#one(id)).send(overwrite)
  }

  async text(id: string): Promise<string> {
    return await (await this.#one(id)).text()
  }

  async reveal(id: string): Promise<void> {
    const file = await this.#one(id)
    if (!this.#ports.system) throw problem('unavailable', localized('desktop.not-here'))
    this.#ports.system.reveal(file.file)
  }

  /** Ends editing; returns where an unsent save is now. `keep` saves the file in any case. */
  async stop(id: string, keep = false): Promise<string | null> {
    return await this.#end(await this.#one(id), keep)
  }

  reached(connectionId: string | null): void {
    for (const file of this.#all.values())
      if (connectionId === null || file.server.connectionId === connectionId) file.reached()
  }

  async leave(connectionId: string): Promise<void> {
    await soon(this.#of(connectionId).map((file) => file.alone(async () => undefined)))
  }

  /** Unsent saves go to the downloads folder, with a notice. */
  async wipe(connectionId: string): Promise<void> {
    this.#wipes.set(connectionId, (this.#wipes.get(connectionId) ?? 0) + 1)
    await this.start()
    for (const file of this.#of(connectionId)) {
      const keptAt = await this.#end(file)
      if (keptAt !== null)
        this.#ports.note(localized('external-editor.kept-aside', { name: file.name, path: keptAt }))
    }
  }

  async close(): Promise<void> {
    await this.#started?.catch(() => undefined)
    await soon([...this.#all.values()].map((file) => file.close()))
  }

  /** Copies unsent saves before removing anything; returns the new path. */
  async #end(file: ExternalFile, keep = false): Promise<string | null> {
    const keptAt = await file.alone(async () => {
      let last: string | null = null
      try {
        // An editor may save in between, though hardly every round.
        for (let round = 0; round < ROUNDS; round++)
          for (const name of await savedIn(file.folder, file.name))
            last = (await this.#keepAside(file, name, keep)) ?? last
      } catch (error) {
        await putBack(file.folder).catch(() => undefined)
        throw fsProblem(error, file.name)
      }
      this.#all.delete(file.id)
      await removeFolder(file.folder, file.name)
      await rm(recordFile(this.#ports.root, file.id), { force: true })
      return last
    })
    await file.close()
    this.#changed()
    return keptAt
  }

  /** Moves the save out of the editor's reach, and keeps it unless the server has it. */
  async #keepAside(file: ExternalFile, name: string, keep: boolean): Promise<string | null> {
    const place = await takeOut(file.folder, name)
    const isWanted = keep || name !== file.name || (await file.isUnsent(place))
    const keptAt = isWanted ? await this.#ports.keepAside(place, name) : null
    await removeFile(place)
    return keptAt
  }

  async #one(id: string): Promise<ExternalFile> {
    await this.start()
    const file = this.#all.get(id)
    if (!file) throw problem('not-found', localized('external-editor.stopped'))
    return file
  }

  #of(connectionId: string): ExternalFile[] {
    return [...this.#all.values()].filter((one) => one.server.connectionId === connectionId)
  }

  get #each(): ExternalEditorPorts {
    return { ...this.#ports, changed: () => this.#changed() }
  }

  get #shown(): Shown[] {
    return [...this.#all.values()].map(({ shown }) => shown)
  }

  #changed(): void {
    this.#ports.tell(this.#shown)
  }
}

async function soon(all: Promise<unknown>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((done) => (timer = setTimeout(done, LEAVE_MS)))
  await Promise.race([Promise.all(all), late]).finally(() => clearTimeout(timer))
}
