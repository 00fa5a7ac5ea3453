import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { eachInParallel } from '../../../host/each-in-parallel.ts'
import { flushTree } from '../../files/safe-fs/copy-tree.ts'
import { Refusal } from '../../../host/refusal.ts'
import type { Downloads } from '../../software/downloads/downloads.ts'
import { sayWaiting } from '../../software/downloads/host-pauses.ts'
import type { PauseListener } from '../../software/downloads/shared-tasks.ts'
import type { InstallPorts } from '../../software/software.ts'
import type { ChosenFile } from './choose-files.ts'
import type { FileComparison, PackComparison } from './compare-pack.ts'
import type { ClientOnlyMods } from './client-only.ts'
import { projectOf, remoteFile, type PackFile } from './pack-index.ts'
import type { PackRecord } from '../pack-record.ts'
import type { OpenedPack } from './read-pack.ts'
import { broken, fileWrong } from '../../../extensions/catalogs/pack-refusals.ts'
import { refusalText, type RefusalText } from '../../../contract/messages/refusals/index.ts'

const AT_ONCE = 4

export type StagedPack = Pick<PackRecord, 'files' | 'kept' | 'replaced' | 'removed'> & {
  /** Client-only only according to their own jar. */
  clientOnly: PackRecord['leftOut']
}

/** Doesn't touch the server. Rejects with refusals of downloads and packs, and the signal's reason. */
export async function stagePack(
  pack: OpenedPack,
  { files: chosen, mods }: { files: readonly ChosenFile[]; mods: ClientOnlyMods },
  comparison: PackComparison,
  folder: string,
  downloads: Pick<Downloads, 'fetch'>,
  ports: InstallPorts,
): Promise<StagedPack> {
  const staged: StagedPack = { files: [], kept: [], replaced: [], removed: [], clientOnly: [] }
  const all: FileComparison[] = []
  const note = (compared: FileComparison): boolean => {
    const { to, fate } = compared
    all.push(compared)
    if (fate === 'keep') staged.kept.push(to)
    if (fate === 'replace') staged.replaced.push(to)
    return fate === 'add' || fate === 'replace'
  }
  const fetching = new PackDownloads(downloads, chosen, ports)
  await eachInParallel(chosen, AT_ONCE, ports.signal, async (file, _, signal) => {
    const compared = await comparison.fetched(file)
    const { to, fate } = compared
    const comes = fate === 'add' || fate === 'replace'
    const from = comes ? await fetching.fetch(file, signal) : null
    if (from !== null && file.path.endsWith('.jar') && !file.isTaken && (await mods.has(from))) {
      staged.clientOnly.push({ path: file.path, project: projectOf(file.urls) })
      return
    }
    note(compared)
    if (from === null) fetching.skip(file)
    else await copyVerified(from, path.join(folder, to), file)
    staged.files.push({ path: file.path, sha1: file.sha1, project: projectOf(file.urls) })
  })
  for (const one of pack.overrides) {
    ports.signal.throwIfAborted()
    const compared = await comparison.override(one)
    await using file = note(compared) ? await newFile(path.join(folder, compared.to)) : null
    const sha1 = await pack.read(one, async (bytes) => void (await file?.appendFile(bytes)))
    staged.files.push({ path: one.path, sha1, crc: one.crc, size: one.size })
  }
  const { removed, kept } = await comparison.leftOver(all)
  staged.removed.push(...removed)
  staged.kept.push(...kept)
  if (staged.clientOnly.length > 0) ports.say(clientOnlySentence(staged.clientOnly))
  await flushTree(folder)
  return staged
}

const NAMED_MOST = 10

function clientOnlySentence(files: StagedPack['clientOnly']): RefusalText {
  const names = files.map(({ path: at }) => at.split('/').at(-1)!)
  const listed = names.sort().slice(0, NAMED_MOST)
  if (names.length > NAMED_MOST) listed.push('…')
  return refusalText('console.left-out', { count: names.length, names: listed.join(', ') })
}

/** Downloads of one pack, told together. */
class PackDownloads {
  readonly #downloads: Pick<Downloads, 'fetch'>
  readonly #ports: InstallPorts
  readonly #far = new Map<string, number>()
  readonly #sayWaiting: PauseListener
  readonly #total: number
  #done = 0

  constructor(downloads: Pick<Downloads, 'fetch'>, files: readonly PackFile[], ports: InstallPorts) {
    this.#downloads = downloads
    this.#ports = ports
    this.#sayWaiting = sayWaiting(ports.say)
    this.#total = files.reduce((sum, { size }) => sum + size, 0)
    ports.progress('pack', 0, this.#total)
  }

  /** Downloads from the first URL that works; resolves to the verified file's path. */
  async fetch(file: PackFile, signal: AbortSignal): Promise<string> {
    let failure: unknown
    for (const url of file.urls) {
      try {
        return await this.#downloads.fetch(remoteFile(file, url), {
          signal,
          onProgress: (done) => this.#tell(file, done),
          onWaiting: this.#sayWaiting,
        })
      } catch (error) {
        signal.throwIfAborted()
        failure ??= error
        const isTheirs = error instanceof Refusal && error.status === 502
        if (!isTheirs) throw error
      }
    }
    throw failure
  }

  skip(file: PackFile): void {
    this.#tell(file, file.size)
  }

  #tell(file: PackFile, done: number): void {
    this.#done += done - (this.#far.get(file.path) ?? 0)
    this.#far.set(file.path, done)
    this.#ports.progress('pack', Math.max(0, Math.min(this.#done, this.#total)), this.#total)
  }
}

/** The download has verified SHA-512; this verifies the pack's SHA-1. */
async function copyVerified(from: string, to: string, { sha1, path: name }: PackFile): Promise<void> {
  await placing(async () => {
    await mkdir(path.dirname(to), { recursive: true })
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  })
  const hash = createHash('sha1')
  for await (const bytes of createReadStream(to)) hash.update(bytes as Buffer)
  if (hash.digest('hex') === sha1) return
  await rm(to, { force: true })
  throw fileWrong(name)
}

const newFile = (to: string): Promise<FileHandle> =>
  placing(async () => {
    await mkdir(path.dirname(to), { recursive: true })
    return open(to, 'w', 0o644)
  })

/** A pack with a file and a folder of the same name is broken. */
async function placing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EEXIST', 'ENOTDIR', 'EISDIR'].includes(code)) throw error
    throw broken('file-and-folder')
  }
}
