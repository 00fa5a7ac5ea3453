import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { refusal } from '../../../../host/refusal.ts'
import { Yielder } from '../../../../host/yield.ts'
import { removeTree } from '../../../files/safe-fs/remove-tree.ts'
import type { RemoteFile } from '../../../software/catalog.ts'
import type { Downloads } from '../../../software/downloads/downloads.ts'
import type { TaskSubscriber } from '../../../software/downloads/shared-tasks.ts'
import { entriesOf, openZip } from '../../../../host/open-zip.ts'
import { unpackBzip2 } from './bzip2.ts'
import { findRestic, type FoundRestic } from './find-restic.ts'

const VERSION = '0.18.1'
const GITHUB = 'https://github.com/restic/restic/releases/download'
const UNPACKED_MOST = 200 * 1024 * 1024

/** By platform and architecture, as Node has them: what is published, and its SHA-256. */
export type ResticBuilds = Readonly<Record<string, readonly [name: string, sha256: string]>>

export const BUILDS: ResticBuilds = {
  'linux-x64': ['linux_amd64.bz2', '680838f19d67151adba227e1570cdd8af12c19cf1735783ed1ba928bc41f363d'],
  'linux-arm64': ['linux_arm64.bz2', '87f53fddde38764095e9c058a3b31834052c37e5826d2acf34e18923c006bd45'],
  'darwin-x64': ['darwin_amd64.bz2', 'eb8543ed92ff1ddb67762daebf09f7bea4b0c37d21edb6a910bee3d4f514015f'],
  'darwin-arm64': ['darwin_arm64.bz2', '193fccc8bb4567b498923bc70261e104ff22be88016f0f108b035dad372ab711'],
  'win32-x64': ['windows_amd64.zip', '0c1a713440578cb400d2e76208feb24f1b339426b075a21f73b6b2132692515d'],
}

interface FetchOptions {
  downloads: Pick<Downloads, 'fetch' | 'forget'>
  /** In the service's data folder. */
  folder: string
  wanted: TaskSubscriber
  /** Or a mirror. */
  base?: string
  builds?: ResticBuilds
  computer?: string
}

/** Where a fetched restic is, whether it is there or not. */
export const fetchedRestic = (folder: string): string =>
  path.join(folder, `restic-${VERSION}`, process.platform === 'win32' ? 'restic.exe' : 'restic')

/**
 * Fetches restic if it isn't there. Only when the owner asks for it. Rejects as `Downloads.fetch`, and with Refusal 409 if none is
 * published for this computer.
 */
export async function fetchRestic({
  downloads,
  folder,
  wanted,
  base = GITHUB,
  builds = BUILDS,
  computer = `${process.platform}-${process.arch}`,
}: FetchOptions): Promise<FoundRestic> {
  const executable = fetchedRestic(folder)
  const found = () => findRestic({ chosen: executable })
  if (existsSync(executable)) return found()
  const build = builds[computer]
  if (!build) throw refusal(409, 'backups.restic-missing')
  const [name, value] = build
  const file: RemoteFile = {
    ...{
      url: `${base}/v${VERSION}/restic_${VERSION}_${name}`,
      name: `restic_${VERSION}_${name}`,
      size: null,
    },
    checksum: { algorithm: 'sha256', value },
  }
  const packed = await downloads.fetch(file, wanted)
  const fresh = `${path.dirname(executable)}.new`
  await removeTree(fresh)
  await mkdir(fresh, { recursive: true, mode: 0o700 })
  try {
    const unpacked = path.join(fresh, path.basename(executable))
    await writePieces(unpacked, name.endsWith('.zip') ? unzipped(packed) : bunzipped(packed), wanted.signal)
    await chmod(unpacked, 0o700)
    await removeTree(path.dirname(executable))
    await rename(fresh, path.dirname(executable))
  } finally {
    await removeTree(fresh)
  }
  // The program itself is enough.
  await downloads.forget(file)
  return found()
}

async function writePieces(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  let bytes = 0
  for await (const piece of pieces) {
    signal.throwIfAborted()
    bytes += piece.length
    if (bytes > UNPACKED_MOST) throw new Error('restic is larger than it can be')
    await handle.writeFile(piece)
  }
  await handle.sync()
}

async function* bunzipped(file: string): AsyncGenerator<Uint8Array> {
  const yielder = new Yielder()
  for (const piece of unpackBzip2(await readFile(file))) {
    await yielder.next()
    if (piece) yield piece
  }
}

async function* unzipped(file: string): AsyncGenerator<Uint8Array> {
  const zip = await openZip(file)
  try {
    for await (const entry of entriesOf(zip)) {
      if (!entry.fileName.endsWith('.exe')) continue
      yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>
      return
    }
    throw new Error('There is no program in this zip.')
  } finally {
    zip.close()
  }
}
