import { unlessAborted } from '../../contract/rules/lanes.ts'
import type { RefusalId } from '../../contract/messages/refusals/index.ts'
import type { Dial } from '../../host/network/dial.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { isCut } from '../sftp/delivery.ts'
import { SftpBatch } from '../sftp/batch.ts'
import { SftpCopying } from '../sftp/copying.ts'
import { SftpFiles } from '../sftp/files.ts'
import { ServerFolder } from '../sftp/folder.ts'
import { type SshEntry, SshLink } from '../sftp/link.ts'
import { speaksSsh, type SshPlace } from '../sftp/place.ts'
import { SftpSearch } from '../sftp/search.ts'
import { SftpWriting } from '../sftp/writing.ts'
import { Account } from './answers.ts'
import type { PanelApi } from './panel-api.ts'
import type { MachineSecrets } from './machine-secrets.ts'
import { machineName, machineOf, type PanelServers } from './servers.ts'
import type { PanelSshKey } from './ssh-key.ts'

/** Where there was no way in, it is looked for again after so long, ms. */
const CLOSED_MS = 10 * 60_000
const ENTER_MS = 60_000
const IDLE_MS = 10 * 60_000

/** All that is done over SFTP; with less, files go the panel's own way. */
const NEEDED = ['sftp', 'create', 'read', 'update', 'delete'].map((one) => `file.${one}`)

/** A server's files as its machine gives them. */
export interface MachineFiles {
  files: SftpFiles
  writing: SftpWriting
  batch: SftpBatch
  search: SftpSearch
  copying: SftpCopying
}

interface Entrance extends MachineFiles {
  link: SshLink
}

/** What opens machines; null before there is a connection. */
export interface MachineAccess {
  key: PanelSshKey
  secrets: MachineSecrets
}

/** The files of servers over SFTP, where their machines let us in with a key of our own, or the account's password. */
export class PanelSftp {
  readonly #api: PanelApi
  readonly #dial: Dial
  readonly #servers: PanelServers
  readonly #access: MachineAccess | null
  readonly #entrances = new Map<string, Promise<Entrance | null>>()
  /** Until when a server isn't asked again. */
  readonly #closed = new Map<string, number>()

  constructor(api: PanelApi, servers: PanelServers, dial: Dial, access: MachineAccess | null) {
    this.#api = api
    this.#dial = dial
    this.#servers = servers
    this.#access = access
  }

  /**
   * What `work` answers over SFTP; null where there is no way in, so that nothing was begun. Throws where a machine shows
   * another key than it did.
   */
  async with<T>(id: string, caller: Caller, work: (machine: MachineFiles) => Promise<T>): Promise<T | null> {
    const machine = await this.#enter(id, caller)
    if (!machine) return null
    try {
      return await work(machine)
    } catch (error) {
      caller.signal.throwIfAborted()
      if (isRefusal(error, 'host.ssh-key') || isRefusal(error, 'host.machine-password')) this.#leave(id)
      throw isCut(error) ? hostRefusal(503, 'host.node-away') : error
    }
  }

  /** As far as is known; nothing is asked for it. */
  mayBeOpen(id: string): boolean {
    return this.#access !== null && performance.now() >= (this.#closed.get(id) ?? 0)
  }

  /** The machine that a server is on. */
  machine(id: string): string {
    return this.#servers.machine(id)
  }

  /** This way isn't tried for a while. */
  shut(id: string): void {
    this.#closed.set(id, performance.now() + CLOSED_MS)
    this.#leave(id)
  }

  /** The panel forgets the key of this connection. */
  async signOut(caller: Caller): Promise<void> {
    await this.#access?.key.remove(caller)
  }

  /** All is tried anew. */
  reopen(): void {
    this.#closed.clear()
    this.close()
  }

  /** Whether a server's machine takes the account's password; null if that isn't known. Its key has to be known. */
  async takes(id: string, password: string, caller: Caller): Promise<boolean | null> {
    const place = await this.#placeOf(id, caller)
    if (!place || !this.#access) return null
    const link = new SshLink(place, this.#dial, byPassword(place, this.#access.secrets, password))
    try {
      await link.open(caller)
      return true
    } catch (error) {
      caller.signal.throwIfAborted()
      if (isOtherKey(error)) throw error
      if (isRefusal(error, 'host.machine-password')) return false
      if (error instanceof HostRefusal || isCut(error)) return null
      throw error
    } finally {
      link.close()
    }
  }

  close(): void {
    for (const id of [...this.#entrances.keys()]) this.#leave(id)
  }

  #leave(id: string): void {
    const entrance = this.#entrances.get(id)
    this.#entrances.delete(id)
    // It may be that the key was removed at the panel.
    this.#access?.key.lookAgain()
    entrance?.then((found) => found?.link.close()).catch(() => undefined)
  }

  async #enter(id: string, caller: Caller): Promise<Entrance | null> {
    if (!this.#access || !this.mayBeOpen(id)) return null
    let entrance = this.#entrances.get(id)
    if (!entrance) {
      // Others may wait for it when this caller doesn't any more.
      entrance = this.#find(id, this.#access, { key: caller.key, signal: AbortSignal.timeout(ENTER_MS) })
      this.#entrances.set(id, entrance)
      entrance.then((found) => found ?? this.shut(id)).catch(() => this.#leave(id))
    }
    return unlessAborted(entrance, caller.signal)
  }

  async #find(id: string, access: MachineAccess, caller: Caller): Promise<Entrance | null> {
    const place = await this.#placeOf(id, caller)
    if (!place || !(await speaksSsh(place, this.#dial))) return null
    for await (const entry of entriesTo(place, access, caller)) {
      const entrance = await this.#open(place, entry, caller)
      if (entrance) return entrance
    }
    return null
  }

  async #open(place: SshPlace, entry: SshEntry, caller: Caller): Promise<Entrance | null> {
    const link = new SshLink(place, this.#dial, entry)
    const folder = new ServerFolder(place.folder)
    const files = new SftpFiles(link, folder)
    const writing = new SftpWriting(link, folder, files)
    try {
      await link.open(caller)
      const [batch, search] = [new SftpBatch(link, folder, writing), new SftpSearch(link, folder)]
      return { link, files, writing, batch, search, copying: new SftpCopying(files, writing) }
    } catch (error) {
      link.close()
      if (isOtherKey(error)) throw error
      if (error instanceof HostRefusal || isCut(error)) return null
      throw error
    }
  }

  async #placeOf(id: string, caller: Caller): Promise<SshPlace | null> {
    const details = await this.#servers.details(id, caller)
    const held = await this.#servers.permissions(id, caller)
    const machine = machineOf(details)
    if (!machine || !(held.includes('*') || NEEDED.every((one) => held.includes(one)))) return null
    const { username } = await this.#api.one('/account', Account, caller)
    if (!username) return null
    const { identifier, uuid } = details
    const short = /^[a-z0-9]{8}$/i.test(identifier ?? '') ? identifier : uuid.slice(0, 8)
    return { ...machine, user: `${username}.${short}`, folder: '.' }
  }
}

const isRefusal = (error: unknown, sentence: RefusalId): boolean =>
  error instanceof HostRefusal && error.told?.sentence === sentence

const isOtherKey = (error: unknown): boolean =>
  isRefusal(error, 'host.host-key') || isRefusal(error, 'host.host-key.other-kind')

async function* entriesTo(
  place: SshPlace,
  { key, secrets }: MachineAccess,
  caller: Caller,
): AsyncGenerator<SshEntry> {
  if (await key.registered(caller))
    yield entryOf(place, secrets, {
      secret: () => key.privateKey(),
      refused: () => hostRefusal(403, 'host.ssh-key'),
    })
  const password = await secrets.password()
  if (password !== null) yield byPassword(place, secrets, password)
}

/** A password goes only where the machine's key was shown before. */
const byPassword = (place: SshPlace, secrets: MachineSecrets, password: string): SshEntry =>
  entryOf(place, secrets, {
    secret: (hostKey) => Promise.resolve(hostKey === null ? null : password),
    refused: () => {
      secrets.refuse(password)
      return hostRefusal(403, 'host.machine-password')
    },
  })

interface MachineKey {
  /** `hostKey`: null for a machine that is met for the first time. Null: there is none for it. */
  secret: (hostKey: string | null) => Promise<string | null>
  refused: () => HostRefusal
}

function entryOf(place: SshPlace, secrets: MachineSecrets, { secret, refused }: MachineKey): SshEntry {
  const machine = machineName(place)
  return {
    idleMs: IDLE_MS,
    async access() {
      const hostKey = await secrets.hostKey(machine)
      const found = await secret(hostKey)
      if (found === null) throw hostRefusal(403, 'host.ssh-key')
      return { secret: found, hostKey, pin: (shown) => secrets.pin({ machine, hostKey: shown }) }
    },
    refused,
    otherKey: (shown) =>
      shown === null
        ? hostRefusal(403, 'host.host-key.other-kind')
        : hostRefusal(403, 'host.host-key', { key: shown }),
  }
}
