import { joined, nameOf } from '../../contract/rules/paths.ts'
import { eachInParallel } from '../../host/each-in-parallel.ts'
import { hostRefusal } from '../base/adapter.ts'
import { fileExists, type FileResult, outcomeAt, resultOf } from '../base/file-results.ts'
import { besideOf, type ConflictRule, type Place, type SftpFiles } from './files.ts'
import type { Caller } from './link.ts'
import { isMissing, isShorter } from './session.ts'
import type { SftpWriting } from './writing.ts'

const MIB = 1024 * 1024
/** SFTP has no copying: all of it goes through this computer and back. */
const COPIED_MOST = { items: 2000, mib: 1024 }

/** What is left of that for one request. */
export class CopyRoom {
  #items = COPIED_MOST.items
  #bytes = COPIED_MOST.mib * MIB

  /** Of what is listed, before anything is copied. */
  look(items: number, bytes: number): void {
    if (items > this.#items || bytes > this.#bytes) throw hostRefusal(413, 'sftp.copy-size', COPIED_MOST)
  }

  /** Of what is read, whatever its size was said to be. */
  async *take(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.look(1, 0)
    this.#items--
    for await (const piece of file) {
      this.look(0, piece.length)
      this.#bytes -= piece.length
      yield piece
    }
  }
}

const AT_ONCE = 4

export interface Copy {
  from: string
  to: string
}

interface SourceFile {
  path: string
  modifiedAt: string | null
}

/** What a folder holds, by paths that begin with its own. */
interface Tree {
  folders: string[]
  files: SourceFile[]
  bytes: number
}

/** Copies files, and folders with all in them. */
export class SftpCopying {
  readonly #files: SftpFiles
  readonly #writing: SftpWriting

  constructor(files: SftpFiles, writing: SftpWriting) {
    this.#files = files
    this.#writing = writing
  }

  copy(item: Copy, conflict: ConflictRule, room: CopyRoom, caller: Caller): Promise<FileResult> {
    return resultOf(item.from, async () =>
      outcomeAt(await this.copied(item, conflict, room, caller), item.to),
    )
  }

  /** Where the copy is; null if it was skipped. */
  async copied(
    { from, to }: Copy,
    conflict: ConflictRule,
    room: CopyRoom,
    caller: Caller,
  ): Promise<string | null> {
    const source = await this.#files.entry(from, caller)
    const place = await this.#files.placeFor(to, conflict, caller)
    if (!place) return null
    const { path, replaces } = place
    if (source.kind === 'folder') {
      if (replaces) throw fileExists(path)
      await this.#copyFolder(from, path, room, caller)
    } else if (source.kind === 'file') {
      room.look(1, source.size ?? 0)
      const file = { path: from, modifiedAt: source.modifiedAt ?? null }
      await this.#copyFile(file, { path, replaces }, room, caller)
    } else throw hostRefusal(409, 'sftp.copy-file', { path: nameOf(from) })
    return path
  }

  async #copyFile({ path, modifiedAt }: SourceFile, to: Place, room: CopyRoom, caller: Caller) {
    try {
      const { stream } = await this.#files.read(path, null, caller)
      const bytes = room.take(stream)
      const sent = { path: to.path, bytes, mustBeNew: !to.replaces, ...(modifiedAt && { modifiedAt }) }
      await this.#writing.write(sent, caller).finally(() => stream.destroy())
    } catch (error) {
      if (isMissing(error) || isShorter(error)) throw hostRefusal(409, 'files.changed.copied', { path })
      throw error
    }
  }

  /** Beside its place first, so that no half of it passes for the whole. */
  async #copyFolder(from: string, to: string, room: CopyRoom, caller: Caller): Promise<void> {
    if (to === from || to.startsWith(`${from}/`)) throw hostRefusal(409, 'files.into-itself', { path: from })
    const { folders, files } = await this.#treeOf(from, room, caller)
    const part = `${besideOf(to)}.part`
    const inPart = (path: string) => joined(part, path.slice(from.length + 1))
    try {
      for (const folder of folders) await this.#files.makeFolder(inPart(folder), true, caller)
      await eachInParallel(files, AT_ONCE, caller.signal, (file, _at, signal) =>
        this.#copyFile(file, { path: inPart(file.path), replaces: false }, room, { ...caller, signal }),
      )
      await this.#files.rename(part, to, caller)
    } catch (error) {
      void this.#writing.discardFolder(part, caller.key)
      throw error
    }
  }

  async #treeOf(from: string, room: CopyRoom, caller: Caller): Promise<Tree> {
    const tree: Tree = { folders: [from], files: [], bytes: 0 }
    for (const folder of tree.folders)
      for (const { name, kind, size, modifiedAt } of await this.#files.list(folder, caller)) {
        const path = joined(folder, name)
        if (kind === 'folder') tree.folders.push(path)
        else if (kind === 'file') tree.files.push({ path, modifiedAt: modifiedAt ?? null })
        else throw hostRefusal(409, 'sftp.copy-file', { path: name })
        tree.bytes += size ?? 0
        room.look(tree.folders.length + tree.files.length, tree.bytes)
      }
    return tree
  }
}
