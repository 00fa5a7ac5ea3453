import { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { Lanes } from '../../contract/rules/lanes.ts'
import { parentOf } from '../../contract/rules/paths.ts'
import { hostRefusal } from '../base/adapter.ts'
import { collect } from '../base/body.ts'
import { fileExists, type FileResult, resultOf } from '../base/file-results.ts'
import { BATCH, besideOf } from './files.ts'
import type { ServerFolder } from './folder.ts'
import type { Caller, SshLink } from './link.ts'
import * as remote from './remote.ts'
import { isMissing, type Session, UnofferedRequest } from './session.ts'
import { onlyCuts, type SftpWriting } from './writing.ts'

/** Files on their way at once. */
const AT_ONCE = 32

interface SmallFile {
  path: string
  content: Buffer
  modifiedAt: Date | undefined
}

/** Small files, many at once: one by one, each would wait for every answer of the host. */
export class SftpBatch {
  readonly #link: SshLink
  readonly #folder: ServerFolder
  readonly #writing: SftpWriting

  constructor(link: SshLink, folder: ServerFolder, writing: SftpWriting) {
    this.#link = link
    this.#folder = folder
    this.#writing = writing
  }

  /** `tar`: as the contract has it. A cut fails all of it, and so does a host that nothing can be written to. */
  async write(tar: Readable, replaces: boolean, caller: Caller): Promise<FileResult[]> {
    const files = await filesIn(tar)
    const session = await this.#link.open(caller)
    const work: Work = { session, replaces, caller, folders: new Map(), parts: new Set() }
    const lanes = new Lanes({ atOnce: AT_ONCE })
    const ended = await Promise.allSettled(
      files.map((file) => lanes.run('', () => this.#write(file, work), caller.signal)),
    )
    if (work.parts.size > 0) void this.#writing.discard([...work.parts], caller.key)
    if (work.unoffered) throw work.unoffered
    return ended.map((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    })
  }

  #write(file: SmallFile, work: Work): Promise<FileResult> {
    const { path, content, modifiedAt } = file
    return resultOf(path, async () => {
      try {
        await this.#ready(parentOf(path), work)
        if (!(await this.#isThere(path, work))) await this.#send(file, work)
        else if (!work.replaces) throw fileExists(path)
        else {
          const sent = {
            path,
            bytes: Readable.from([content]),
            mustBeNew: false,
            modifiedAt: modifiedAt?.toISOString(),
          }
          await this.#writing.write(sent, work.caller)
        }
        return 'done'
      } catch (error) {
        if (error instanceof UnofferedRequest) work.unoffered = error
        throw error
      }
    })
  }

  /** Never replaces. */
  async #send({ path, content, modifiedAt }: SmallFile, work: Work): Promise<void> {
    const { session, parts } = work
    const target = this.#folder.named(path)
    const part = `${besideOf(target)}.part`
    parts.add(part)
    const handle = await remote.open(session, part, 'wx')
    // Requests are done in order, so that none waits for the one before it.
    await Promise.all([
      remote.write(session, handle, content, 0),
      modifiedAt && remote.setTimes(session, handle, modifiedAt.getTime() / 1000).catch(onlyCuts),
      remote.close(session, handle),
    ])
    try {
      await remote.rename(session, part, target)
    } catch (error) {
      throw (await this.#isThere(path, work)) ? fileExists(path) : error
    }
    parts.delete(part)
  }

  /** The folder is there, and within the server's. */
  #ready(path: string, { session, folders }: Work): Promise<void> {
    const ready = folders.get(path) ?? this.#open(path, session)
    folders.set(path, ready)
    return ready
  }

  async #open(path: string, session: Session): Promise<void> {
    try {
      await this.#folder.at(session, path)
      if (await remote.statOf(session, this.#folder.named(path))) return
    } catch (error) {
      if (!isMissing(error)) throw error
    }
    await this.#folder.make(session, path)
  }

  async #isThere(path: string, { session }: Work): Promise<boolean> {
    return (await remote.lstatOf(session, this.#folder.named(path))) !== null
  }
}

interface Work {
  session: Session
  replaces: boolean
  caller: Caller
  folders: Map<string, Promise<void>>
  /** What isn't in its place yet. */
  parts: Set<string>
  unoffered?: UnofferedRequest
}

async function filesIn(tar: Readable): Promise<SmallFile[]> {
  const files: SmallFile[] = []
  let left = BATCH.maxBytes
  const entries = tar.pipe(extract())
  tar.once('error', (error) => entries.destroy(error))
  for await (const entry of entries) {
    const { name, size = 0, mtime } = entry.header
    if (files.length === BATCH.maxFiles || size > left)
      throw hostRefusal(413, 'files.batch-too-large', { files: BATCH.maxFiles, bytes: BATCH.maxBytes })
    left -= size
    files.push({ path: name, content: await collect(entry as unknown as Readable), modifiedAt: mtime })
  }
  return files
}
