import path from 'node:path'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import { diskFullRefusal } from '../../base/computer-limits.ts'
import { asRefusal } from '../../files/names/refusals.ts'
import { flushTree } from '../../files/safe-fs/copy-tree.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { refusal, Refusal } from '../../../host/refusal.ts'
import { said } from '../../runtime/install-run.ts'
import type { RunFiles } from '../../runtime/processes/survivors.ts'
import { StartFailure } from '../../runtime/crashes/start-failure.ts'
import type { ServerSpec } from '../../runtime/types.ts'
import type { Catalog, Release, RemoteFile, WantedJava } from '../catalog.ts'
import type { Downloads } from '../downloads/downloads.ts'
import type { TaskSubscriber } from '../downloads/shared-tasks.ts'
import { saysOf } from '../downloads/host-pauses.ts'
import { gameOf, type GamePorts, prepareGame, prepareInstaller } from './game-install.ts'
import { placeFile, wantedGame } from './game-jar.ts'
import type { InstallationRecord, InstalledRecords } from '../installed.ts'
import type { KeptReleases } from '../kept-releases.ts'
import { type InstallerRun, leftByInstaller, leftNothing, runInstaller } from './installer.ts'
import { readJarEntry } from '../../zip/jar-entry.ts'
import type { ManagementPorts } from '../management-ports.ts'
import { chooseJava } from '../java/choose-java.ts'
import type { InstalledJava } from '../java/find-java.ts'
import type { RunKind } from '../java-kinds.ts'
import type { InstallPorts } from '../software.ts'
import { newStaged, requireRoomFor, sweepStaged } from './staged-files.ts'

export interface JavaPorts extends GamePorts {
  downloads: Downloads
  javas: {
    all(): Promise<InstalledJava[]>
    fetch(java: WantedJava, wanted: TaskSubscriber): Promise<InstalledJava>
    offered(java: WantedJava, signal: AbortSignal): Promise<{ major: number }>
  }
  records: InstalledRecords
  filesOf: (serverId: string) => ServerFiles
  /** Running installers, on disk, so the next start can kill those of a killed service. */
  installers: Pick<RunFiles, 'write' | 'remove'>
  kept: Pick<KeptReleases, 'note' | 'of'>
  management: ManagementPorts
}

const JAR = 'server.jar'

/** The chosen Java, else the version's. Throws Refusal 409 `software.java-too-old`. */
export function wantedFor(wanted: WantedJava, { java }: Pick<ServerSpec, 'java'>): WantedJava {
  const chosen = java?.major ?? null
  if (chosen === null) return wanted
  if (chosen >= wanted.major) return { major: chosen, exact: true }
  throw new Refusal(409, 'software.java-too-old', tooOld(wanted, chosen))
}

/** For a start, where that counts as a crash. */
export function startedWith(wanted: WantedJava, spec: Pick<ServerSpec, 'java'>): WantedJava {
  const present = spec.java?.major ?? wanted.major
  if (present >= wanted.major) return wantedFor(wanted, spec)
  throw new StartFailure(tooOld(wanted, present), 'wrong-java', { needed: wanted.major, present })
}

const tooOld = ({ major, exact }: WantedJava, chosen: number) =>
  refusalText(exact ? 'software.java-too-old.exact' : 'software.java-too-old', { wanted: major, chosen })

export async function bringJava(
  wanted: WantedJava,
  { javas }: Pick<JavaPorts, 'javas'>,
  { signal, progress, say }: InstallPorts,
): Promise<InstalledJava> {
  const choice = chooseJava(wanted, await javas.all())
  if (choice.kind === 'found') return choice.java
  say(refusalText('console.java-missing', { major: wanted.major }))
  const java = await javas.fetch(wanted, {
    signal,
    onProgress: (...far) => progress('java', ...far),
    ...saysOf(say),
  })
  if (java.major !== wanted.major)
    say(refusalText('console.java-other', { wanted: wanted.major, major: java.major }))
  return java
}

/** Downloads both in parallel; progress is Java's until it is there. `take` gets the software as soon as it arrives. */
async function bringBoth<T>(
  wanted: WantedJava,
  software: RemoteFile,
  take: (file: string) => Promise<T>,
  ports: JavaPorts,
  install: InstallPorts,
): Promise<[java: InstalledJava, taken: T]> {
  const stop = new AbortController()
  const signal = AbortSignal.any([install.signal, stop.signal])
  let isJavaHere = false
  let came: [done: number, total: number | null] = [0, null]
  const tell = () => isJavaHere && install.progress('software', ...came)
  const java = bringJava(wanted, ports, { ...install, signal }).then((found) => {
    isJavaHere = true
    tell()
    return found
  })
  const taken = ports.downloads
    .fetch(software, {
      signal,
      onProgress: (...sofar) => {
        came = sofar
        tell()
      },
      ...saysOf(install.say),
    })
    .then(take)
  try {
    return await Promise.all([java, taken])
  } catch (error) {
    // One is useless without the other.
    stop.abort(error)
    await Promise.allSettled([java, taken])
    throw error
  }
}

/** Leaves the server's folder untouched until the caller promotes the next record. */
export async function prepareJava(
  kind: RunKind,
  catalog: Catalog,
  ports: JavaPorts,
  spec: ServerSpec,
  install: InstallPorts,
): Promise<void> {
  const { downloads, records } = ports
  const { signal, progress } = install
  const pinned = spec.software.build ?? null
  const release = await releaseFor(kind, catalog, ports, spec, install)
  const wantedJava = wantedFor(release.java, spec)
  const files = ports.filesOf(spec.id)
  await sweepStaged(files, records)
  const { staged, folder } = await newStaged(files)
  const take = async (file: string): Promise<{ file: string; placed: { jar: string } | null }> => {
    if (!(await isWanted(release, file))) {
      // Otherwise it would be used again.
      await downloads.forget(release.file)
      throw otherSoftware(kind.name)
    }
    // While Java is still coming.
    return { file, placed: release.form === 'jar' ? await placeJar(file, folder) : null }
  }
  try {
    const [java, { file, placed }] = await bringBoth(wantedJava, release.file, take, ports, install)
    signal.throwIfAborted()
    progress('setup', 0, null)
    const runs: InstallerRun['runs'] = (leader) =>
      leader ? ports.installers.write(spec.id, leader) : ports.installers.remove(spec.id)
    const { version, build, java: wanted } = release
    const made = { java: java.executable, folder }
    if (!placed) await prepareInstaller(kind, { version, folder }, ports, install)
    const entry = placed ?? (await setUp(kind, release, { ...made, jar: file }, install, runs))
    const game = placed && (await prepareGame(kind, { ...made, ...placed, version }, ports, install, runs))
    signal.throwIfAborted()
    requireRoomFor(folder, files.root)
    const isPinned = pinned !== null
    records.writeNext(spec.id, {
      ...{ software: kind.id, version, build, java: wanted, staged, ...entry },
      ...(game && { game }),
      ...(isPinned && { isPinned }),
    })
    if (kind.isWhole && placed)
      await noteKept(
        kind,
        release,
        { jar: path.join(folder, placed.jar), game: game ?? undefined },
        ports,
        signal,
      )
  } catch (error) {
    await removeTree(folder)
    signal.throwIfAborted()
    throw diskFullRefusal(error) ?? asRefusal(error, JAR)
  }
}

/** The chosen build, else the newest; if unavailable, one that installs offline. */
async function releaseFor(
  kind: RunKind,
  catalog: Catalog,
  { downloads, kept, records }: JavaPorts,
  { id, software }: ServerSpec,
  { signal, progress, say }: InstallPorts,
): Promise<Release> {
  const { version, build: pinned } = software
  const newest = await catalog.release(version, pinned ?? null, signal)
  if (pinned || (await downloads.has(newest.file))) return newest
  const here = (await kept.of(kind.id)).find((one) => one.version === version && one.build !== null)
  const former = records.read(id)
  // Falling back to the installed build gains nothing.
  if (!here || (former?.version === version && former.build === here.build)) return newest
  try {
    await downloads.fetch(newest.file, {
      signal,
      onProgress: (...far) => progress('software', ...far),
      ...saysOf(say),
    })
    return newest
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Refusal) || error.code !== 'software.download-failed') throw error
    const other = await catalog.release(version, here.build, signal).catch(() => null)
    if (!other) throw error
    say(said(error), refusalText('console.build-instead', { build: String(here.build) }))
    return other
  }
}

async function noteKept(
  kind: RunKind,
  { version, build, java, file }: Release,
  { jar, game }: { jar: string; game: InstallationRecord['game'] },
  ports: JavaPorts,
  signal: AbortSignal,
): Promise<void> {
  const takesGame = (await wantedGame(jar, version).catch(() => null)) !== null
  const its = game ? await gameOf(kind, game.version, ports, signal) : null
  if (its === 'unknown' || (takesGame && its === null)) return
  const files = [file, ...(its ? [its] : [])]
  await ports.kept.note({ software: kind.id, version, build, java, files })
}

const otherSoftware = (name: string) => refusal(502, 'software.download-other', { name })

/** Without a checksum, checks the jar's own properties. */
async function isWanted({ holds }: Release, file: string): Promise<boolean> {
  if (!holds) return true
  const text = (await readJarEntry(file, holds.entry).catch(() => null)) ?? ''
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim()))
  return Object.entries(holds.properties).every(([key, value]) => lines.has(`${key}=${value}`))
}

async function placeJar(from: string, folder: string): Promise<{ jar: string }> {
  await placeFile(from, folder, JAR)
  return { jar: JAR }
}

async function setUp(
  kind: RunKind,
  { version, build }: Release,
  { java, jar, folder }: { java: string; jar: string; folder: string },
  { signal, say }: InstallPorts,
  runs: InstallerRun['runs'],
): Promise<{ jar: string } | { args: string[] }> {
  const args =
    kind.id === 'quilt'
      ? ['install', 'server', version, ...(build ? [build] : []), '--install-dir=.', '--download-server']
      : ['--installServer']
  say(refusalText('console.installer', { software: kind.name }))
  await runInstaller({ name: kind.name, java, jar, args, folder, signal, say, runs })
  const entry = await leftByInstaller(folder)
  if (!entry) throw leftNothing(kind.name)
  await flushTree(folder)
  return entry
}
