import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { promisify } from 'node:util'
import { NO_RESTIC, restic } from '../../src/service/backups/restic/restic.fixture.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { ownPort } from '../fixtures/game-ports.ts'
import type { Case } from './case.ts'
import { PATIENCE } from './changes.ts'
import { Host } from './host.ts'
import { AT_REST, offerVersions, treeOf, versionOf } from './installs.ts'
import { foldersOfPrograms, OneOfEach } from './one-of-each.ts'
import { Servers } from './servers.ts'

const run = promisify(execFile)
const MB = 1024 * 1024
const ENDED = ['done', 'failed']
/** How often is asked for what is awaited, in ms: each time costs both programs processor time. */
const LOOK_MS = 20

export type Engine = 'archive' | 'restic'

export interface Listed {
  id: string
  state: string
  progress?: object | null
  tried?: { result: string; error?: { message: string } | null } | null
  error?: { code: string; message: string } | null
}

/** From before a change: in no store. */
export const isCopy = (backupId: string): boolean => backupId.startsWith('copy-')

/** A service with a Paper server whose world is backed up, and what has to be so of them whatever happens. */
export class BackupWorld {
  readonly it: Case
  readonly host: Host
  readonly servers: Servers
  readonly id: string
  /** How long the last backup took, in ms; bringing it back takes as long. A kill within it has to fall into the work. */
  readonly takes: Record<Engine, number> = { archive: 0, restic: 0 }
  readonly #watch: OneOfEach
  /** Backups that were done once, by engine. */
  readonly #done = new Map<string, Engine>()

  private constructor(it: Case, servers: Servers, id: string, watch: OneOfEach) {
    this.it = it
    this.host = servers.host
    this.servers = servers
    this.id = id
    this.#watch = watch
    if (!restic) it.skipped.push(NO_RESTIC)
  }

  static async open(it: Case, data?: string): Promise<BackupWorld> {
    const catalogs = await CatalogServer.start()
    it.stage.atEnd(() => catalogs.stop())
    await offerVersions(catalogs, it, 1)
    const host = await Host.start(it.stage, { catalogs: catalogs.settings, ...(data && { data }) })
    const servers = await Servers.of(host)
    const id = await servers.create({ software: 'paper', version: versionOf(0) })
    await servers.until(id, AT_REST)
    // It runs while other cases start theirs.
    await servers.ask('POST', `/servers/port/${id}`, { port: ownPort() })
    const folders = await realpath(host.data)
    const watch = new OneOfEach(['servers', 'staging'].map((name) => path.join(folders, name, id)))
    it.stage.atEnd(async () => watch.stop())
    return new BackupWorld(it, servers, id, watch)
  }

  get folder(): string {
    return path.join(this.servers.folderOf(this.id), 'world')
  }

  /** By turns; without restic only the other. */
  engineOf(round: number): Engine {
    return restic && round % 2 === 1 ? 'restic' : 'archive'
  }

  at(...names: string[]): string {
    return path.join(this.host.data, ...names)
  }

  /** With bytes that no earlier world had; answers paths and hashes. */
  async fill(files = this.it.long ? 40 : 16): Promise<string> {
    await mkdir(path.join(this.folder, 'region'), { recursive: true })
    for (let number = 0; number < files; number++)
      await writeFile(
        path.join(this.folder, `region/r.${number}.0.mca`),
        this.it.chance.bytes().update(Buffer.alloc(MB / 2)),
      )
    return treeOf(this.folder)
  }

  async use(engine: Engine, keep?: object): Promise<void> {
    await this.servers.ask('PATCH', `/servers/backups/settings/${this.id}`, { engine, ...(keep && { keep }) })
  }

  async list(): Promise<Listed[]> {
    return ((await this.servers.ask('GET', `/servers/backups/${this.id}`)) as { items: Listed[] }).items
  }

  /** Nothing is being done any more. */
  async settled(): Promise<Listed[]> {
    const end = Date.now() + PATIENCE
    for (;;) {
      const all = await this.list()
      if (all.every(({ state, progress }) => ENDED.includes(state) && !progress)) return all
      if (Date.now() > end) throw new Error('The work on backups does not end.')
      await after(LOOK_MS)
    }
  }

  async begin(): Promise<string> {
    return ((await this.servers.ask('POST', `/servers/backups/${this.id}`, {})) as { id: string }).id
  }

  /** A backup that has to be there from now on. */
  async backUp(engine: Engine): Promise<string> {
    await this.use(engine)
    const began = performance.now()
    const id = await this.begin()
    const one = (await this.settled()).find((listed) => listed.id === id)
    if (one?.state !== 'done') throw new Error(`No backup was made: ${one?.error?.message}`)
    this.takes[engine] = performance.now() - began
    await this.#lock(id, true)
    this.#done.set(id, engine)
    return id
  }

  /** From now on it may go. */
  async give(backup: string): Promise<void> {
    this.#done.delete(backup)
    await this.#lock(backup, false)
  }

  async #lock(backup: string, locked: boolean): Promise<void> {
    await this.servers.ask('PATCH', `/servers/backups/${this.id}/${backup}`, { locked })
  }

  async try(backup: string, start = false): Promise<string> {
    await this.servers.ask('POST', `/servers/backups/try/${this.id}`, { backup, start })
    return (await this.settled()).find((one) => one.id === backup)?.tried?.result ?? 'not tried'
  }

  /** Starts the service after a kill, and the server at once if it may: never twice. */
  async startAgain(): Promise<void> {
    await this.host.start()
    await this.servers.power(this.id, 'start').catch(() => undefined)
    await this.servers.until(this.id, AT_REST, PATIENCE)
    await this.settled()
  }

  /** A service that starts has counted nothing yet. */
  async refresh(): Promise<void> {
    await this.host.end()
    await this.host.start()
  }

  async reaches(wanted: 'online' | 'offline'): Promise<void> {
    const now = await this.servers.until(this.id, AT_REST)
    if ((now === 'online') !== (wanted === 'online'))
      await this.servers.power(this.id, wanted === 'online' ? 'start' : 'stop')
    const reached = await this.servers.until(
      this.id,
      wanted === 'online' ? ['online', 'crashed'] : ['offline'],
    )
    this.it.expect(reached === wanted, `The server is ${reached}, not ${wanted}.`)
  }

  /** Its software says so itself. */
  async expectSaving(): Promise<void> {
    await this.reaches('online')
    await this.servers.ask('POST', `/servers/command/${this.id}`, { command: 'save-on' })
    const end = Date.now() + PATIENCE
    let said = ''
    while (!/(already turned on|now enabled)$/m.test(said) && Date.now() < end) {
      said = (await this.servers.said(this.id)).slice(-3).join('\n')
      await after(LOOK_MS)
    }
    this.it.expect(said.includes('already turned on'), `Saving was off after the kill: ${said}`)
  }

  /** Whatever was struck: what was done is there and sound, and nothing is left of what was not. */
  async expectSound(): Promise<void> {
    const { it } = this
    // A service that starts listens first, and settles then.
    const end = Date.now() + PATIENCE / 2
    let found = await this.#look()
    while (found.lost.length + found.left.length > 0 && Date.now() < end) {
      await after(50)
      found = await this.#look()
    }
    it.lost.push(...found.lost)
    it.wrong.push(...found.left)
    const crowded = this.#watch.crowded.map((folder) => path.relative(this.host.data, folder))
    it.expect(crowded.length === 0, `Two programs ran at once in ${crowded.join(' and ')}.`)
  }

  async #look(): Promise<{ lost: string[]; left: string[] }> {
    const listed = await this.settled()
    const lost = [...this.#done].flatMap(([id, engine]) => {
      const now = listed.find((one) => one.id === id)
      return now?.state === 'done' ? [] : [`${engine} backup: ${now?.error?.message ?? 'not listed'}`]
    })
    const done = listed.filter(({ state, id }) => state === 'done' && !isCopy(id)).map(({ id }) => id)
    const archived = done.filter((id) => existsSync(this.at('backups', this.id, `${id}.tar.zst`)))
    const inRestic = done.filter((id) => !archived.includes(id))
    const copies = listed.map(({ id }) => id).filter(isCopy)
    const archives = archived.flatMap((id) => [`${id}.tar.zst`, `${id}.list.zst`])
    const snapshots = await this.#snapshots()
    for (const id of inRestic)
      if (!snapshots.some(({ tags = [] }) => tags.includes(id))) lost.push(`${id} is in no store`)
    const left = await Promise.all([
      this.#others(['backups', this.id], ['restic', ...archives]),
      this.#others(['staging', this.id], ['uploads', 'extensions']),
      this.#others(['copies', this.id], [...copies, 'current.json', 'pack.json']),
      this.#others(['backups', this.id, 'restic'], ['repository', 'lists', 'work']),
    ])
    // Each backup is two snapshots.
    if (snapshots.length !== 2 * inRestic.length)
      left.push([`restic has ${snapshots.length} snapshots of ${inRestic.length} backups.`])
    const lonely = foldersOfPrograms((folder) => folder.includes(`/staging/${this.id}/`))
    left.push(lonely.map((folder) => `A server that was tried still runs in ${folder}.`))
    return { lost, left: left.flat() }
  }

  async #others(at: readonly string[], known: readonly string[]): Promise<string[]> {
    const names = await readdir(this.at(...at)).catch(() => [])
    return names.filter((name) => !known.includes(name)).map((name) => `Left in ${at[0]}: ${name}.`)
  }

  async #snapshots(): Promise<{ tags?: string[] }[]> {
    if (!existsSync(this.at('backups', this.id, 'restic/repository'))) return []
    return JSON.parse(await this.askRestic('snapshots', '--json', '--no-lock')) as { tags?: string[] }[]
  }

  async askRestic(...args: string[]): Promise<string> {
    const options = { env: this.resticVariables, maxBuffer: 64 * MB }
    return (await run(restic!.executable, args, options)).stdout
  }

  get resticVariables(): NodeJS.ProcessEnv {
    return {
      RESTIC_REPOSITORY: this.at('backups', this.id, 'restic/repository'),
      RESTIC_PASSWORD_FILE: this.at('restic/passwords', this.id),
      RESTIC_CACHE_DIR: this.it.stage.at('tmp/restic-cache'),
    }
  }
}
