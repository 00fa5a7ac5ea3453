import { setTimeout as wait } from 'node:timers/promises'
import type { Stats } from 'ssh2'
import type { z } from 'zod'
import type { FileEntry } from '../../contract/areas/values/file-values.ts'
import { parentOf } from '../../contract/rules/paths.ts'
import { hostRefusal } from '../base/adapter.ts'
import { fileExists } from '../base/file-results.ts'
import { AGAIN_MS, Delivery, isCut } from './delivery.ts'
import { besideOf, type SftpFiles } from './files.ts'
import type { ServerFolder } from './folder.ts'
import type { Caller, SshLink } from './link.ts'
import * as remote from './remote.ts'
import { isMissing, type Session } from './session.ts'

const CLEAN_MS = 60_000
/** For a folder of thousands of files. */
const CLEAN_FOLDER_MS = 15 * 60_000
const CLEAN_AGAIN_MS = 1000
const MODE = 0o7777

interface SentFile {
  path: string
  bytes: AsyncIterable<Uint8Array>
  /** Refused if there is one. */
  mustBeNew: boolean
  modifiedAt?: string | undefined
  /** Hex, as the sender has it; asked for when all was read. */
  sha256?: () => Promise<string | undefined>
}

/** Writes a file beside its place first, and moves it there when it is whole. */
export class SftpWriting {
  readonly #link: SshLink
  readonly #folder: ServerFolder
  readonly #files: SftpFiles

  constructor(link: SshLink, folder: ServerFolder, files: SftpFiles) {
    this.#link = link
    this.#folder = folder
    this.#files = files
  }

  async write(sent: SentFile, caller: Caller): Promise<z.input<typeof FileEntry>> {
    const session = await this.#link.open(caller)
    const { at: target, former } = await this.#target(session, sent.path)
    if (former && (sent.mustBeNew || !former.isFile())) throw fileExists(sent.path)
    const part = `${besideOf(target)}.part`
    try {
      const { size, sha256 } = await new Delivery(this.#link, caller, part, sent.bytes).run()
      const theirs = await sent.sha256?.()
      if (theirs && theirs.toLowerCase() !== sha256) throw hostRefusal(422, 'sftp.cut-short')
      await this.#commit({ part, target, former, size, sent }, caller)
    } catch (error) {
      void this.#clean(part, former && target, caller.key)
      throw error
    }
    return this.#files.entry(sent.path, caller)
  }

  /** Its folder is made if there is none. */
  async #target(session: Session, path: string): ReturnType<ServerFolder['targetAt']> {
    const parent = parentOf(path)
    try {
      const found = await this.#folder.targetAt(session, path)
      if (found.former || (await remote.statOf(session, await this.#folder.at(session, parent)))) return found
    } catch (error) {
      if (!isMissing(error)) throw error
    }
    await this.#folder.make(session, parent)
    return this.#folder.targetAt(session, path)
  }

  /** A cut leaves open whether it was done, which shows by what is there. */
  async #commit({ part, target, former, size, sent }: Commit, caller: Caller): Promise<void> {
    for (let again = 0; ; again++) {
      try {
        const session = await this.#link.open(caller)
        if (again > 0 && !(await remote.statOf(session, part)))
          if ((await remote.statOf(session, target))?.size === size)
            return void remote.removeFile(session, remote.asideOf(part)).catch(() => undefined)
        await this.#dress(session, part, former, sent.modifiedAt)
        if (former) await remote.replace(session, part, target)
        else await remote.rename(session, part, target)
        // The former file may have been set aside before the cut.
        if (again > 0) void remote.removeFile(session, remote.asideOf(part)).catch(() => undefined)
        return
      } catch (error) {
        const pause = AGAIN_MS[again]
        if (isCut(error) && pause !== undefined) {
          await wait(pause, undefined, { signal: caller.signal })
          continue
        }
        if (!former && !isCut(error) && (await this.#isThere(target, caller))) throw fileExists(sent.path)
        throw error
      }
    }
  }

  async #isThere(at: string, caller: Caller): Promise<boolean> {
    const session = await this.#link.open(caller)
    return (await remote.statOf(session, at).catch(() => null)) !== null
  }

  /** Permissions as before, and the time of the sender. A host that doesn't take them still has the file. */
  async #dress(session: Session, part: string, former: Stats | null, modifiedAt?: string): Promise<void> {
    const mtime = Date.parse(modifiedAt ?? '') / 1000
    const time = Number.isFinite(mtime) ? { atime: mtime, mtime } : null
    if (!former && !time) return
    const changes = { ...(former && { mode: former.mode & MODE }), ...time }
    await remote.setAttributes(session, part, changes).catch(onlyCuts)
  }

  /** Removes files, also after a cut, which may be why they stay behind. */
  discard(parts: readonly string[], key: string): Promise<void> {
    return this.#afterCuts(key, async (session) => {
      for (const part of parts) await remote.removeFile(session, part).catch(onlyCuts)
    })
  }

  /** The same for a folder with all in it. */
  discardFolder(path: string, key: string): Promise<void> {
    const signal = AbortSignal.timeout(CLEAN_FOLDER_MS)
    return this.#afterCuts(key, async () => void (await this.#files.remove(path, { key, signal })), signal)
  }

  /** `former`: where what was set aside belongs. */
  #clean(part: string, former: string | null, key: string): Promise<void> {
    return this.#afterCuts(key, async (session) => {
      // Nothing is replaced by it.
      if (former !== null) await remote.rename(session, remote.asideOf(part), former).catch(onlyCuts)
      await remote.removeFile(session, part).catch(onlyCuts)
    })
  }

  async #afterCuts(
    key: string,
    work: (session: Session) => Promise<void>,
    signal = AbortSignal.timeout(CLEAN_MS),
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        return await work(await this.#link.open({ key, signal }))
      } catch (error) {
        if (!isCut(error)) return
        await wait(CLEAN_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined)
      }
    }
  }
}

/** What else a host refuses doesn't matter here. */
export const onlyCuts = (error: unknown): void => {
  if (isCut(error)) throw error
}

interface Commit {
  part: string
  target: string
  former: Stats | null
  size: number
  sent: SentFile
}
