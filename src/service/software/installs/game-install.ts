import { lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { asRefusal } from '../../files/names/refusals.ts'
import { flushTree } from '../../files/safe-fs/copy-tree.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import { Refusal } from '../../base/refusal.ts'
import type { ServerSpec } from '../../runtime/types.ts'
import type { RemoteFile } from '../catalogue.ts'
import { compareVersions } from '../catalogues/version-order.ts'
import type { Downloads } from '../downloads/downloads.ts'
import { saysOf } from '../downloads/say-waiting.ts'
import { placeFile, wantedGame } from './game-jar.ts'
import type { Installed } from '../installed.ts'
import { type InstallerRun, requireBounded, runInstaller } from './installer.ts'
import type { JavaPorts } from './java-install.ts'
import type { RunKind } from '../java-kinds.ts'
import type { InstallPorts } from '../software.ts'
import { newStaged, placeStaged, requireRoomFor, sweepStaged } from './staged-files.ts'

export interface GamePorts {
  downloads: Pick<Downloads, 'fetch'>
  /** Minecraft's own server of a version. Rejects with Refusal where it cannot be told now. */
  game: (version: string, signal: AbortSignal) => Promise<RemoteFile>
}

/** Software that is not whole without it; what comes with an installer has that fetch it. */
const NEEDS_GAME = new Set(['paper', 'purpur', 'folia', 'fabric'])

/**
 * Whether Forge's installer is one of those that look for Minecraft's own server at an address where it is no longer, and take
 * the one that lies where they would put it.
 */
const isOldForge = (id: string, version: string): boolean =>
  id === 'forge' && compareVersions(version, '1.17') < 0

/** Bytes that are downloaded of Minecraft's own server for a kind; null where nobody knows. */
export async function gameBytes(
  kind: RunKind,
  version: string,
  { game }: Pick<GamePorts, 'game'>,
  signal: AbortSignal,
): Promise<number | null> {
  const file = await gameOf(kind, version, { game }, signal)
  return file === 'unknown' ? null : file === null ? 0 : file.size
}

/** Minecraft's own server of a version for a kind that takes it; null for one that takes none. */
export async function gameOf(
  kind: RunKind,
  version: string,
  { game }: Pick<GamePorts, 'game'>,
  signal: AbortSignal,
): Promise<RemoteFile | null | 'unknown'> {
  if (!NEEDS_GAME.has(kind.id) && !isOldForge(kind.id, version)) return null
  try {
    return await game(version, signal)
  } catch (error) {
    if (error instanceof Refusal) return 'unknown'
    throw error
  }
}

/** Patching takes half a minute, on a slow computer a few. */
const PATCHING_MS = 10 * 60_000
/** Lines of what it printed that are told where it failed. */
const TOLD_LINES = 20

/**
 * Puts Minecraft's own server where a jar looks for it, and lets the jar do what it otherwise does before its first start, so
 * that nothing of that is downloaded then. Answers what was put there; undefined where the jar needs none, or it could not be
 * had: the first start still does all of it, so that this is said, and is no failure. A full disk is one.
 *
 * @param jar the file's name in the folder
 */
export async function prepareGame(
  kind: RunKind,
  { jar, version, java, folder }: { jar: string; version: string; java: string; folder: string },
  ports: GamePorts,
  install: InstallPorts,
  runs: InstallerRun['runs'],
): Promise<Installed['game']> {
  // What is no jar, Java says of it.
  const wanted = await wantedGame(path.join(folder, jar), version).catch(() => null)
  if (!wanted) return undefined
  const belongs = { version: wanted.version, at: wanted.at }
  const file = await fetchGame(kind, wanted.version, ports, install)
  if (file === null) return belongs
  // It is kept under its SHA-256.
  if (wanted.sha256 !== null && path.basename(file) !== wanted.sha256) {
    install.say(
      `${kind.name} was made for another edition of Minecraft ${version} than Mojang offers, and downloads that at its first start.`,
    )
    return undefined
  }
  await placeFile(file, folder, wanted.at)
  if (wanted.isPatched) {
    install.progress('setup', 0, null)
    const isDone = await patch(kind, { java, jar, folder }, install, runs)
    if (!isDone) {
      // Nothing half is left.
      for (const name of await readdir(folder)) if (name !== jar) await removeTree(path.join(folder, name))
      await placeFile(file, folder, wanted.at)
    }
  }
  return belongs
}

/** Puts Minecraft's own server where an old installer of Forge looks for it; where it cannot be had, that tries it itself. */
export async function prepareInstaller(
  kind: RunKind,
  { version, folder }: { version: string; folder: string },
  ports: GamePorts,
  install: InstallPorts,
): Promise<void> {
  if (!isOldForge(kind.id, version)) return
  const file = await fetchGame(kind, version, ports, install)
  if (file !== null) await placeFile(file, folder, `minecraft_server.${version}.jar`)
}

/** The file, verified; null where it cannot be had now, which is said. */
async function fetchGame(
  kind: RunKind,
  version: string,
  { downloads, game }: GamePorts,
  { signal, progress, say }: InstallPorts,
): Promise<string | null> {
  try {
    const remote = await game(version, signal)
    return await downloads.fetch(remote, {
      signal,
      onProgress: (done, total) => progress('software', done, total),
      ...saysOf(say),
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Refusal) || error.status === 507) throw error
    say(`Minecraft's own server is still missing, and ${kind.name} needs it to start. ${error.message}`)
    return null
  }
}

/** Lets Paper's launcher make its server, and no more. Answers whether it did. */
async function patch(
  kind: RunKind,
  { java, jar, folder }: { java: string; jar: string; folder: string },
  { signal, say }: InstallPorts,
  runs: InstallerRun['runs'],
): Promise<boolean> {
  const printed: string[] = []
  try {
    await runInstaller({
      ...{ name: kind.name, java, jvm: ['-Dpaperclip.patchonly=true'], jar, args: [], folder, signal, runs },
      say: (line) => printed.push(line),
      limits: { mostMs: PATCHING_MS },
    })
    await requireBounded(folder)
    await flushTree(folder)
    return true
  } catch {
    signal.throwIfAborted()
    for (const line of printed.slice(-TOLD_LINES)) say(line)
    say(`${kind.name} could not be made ready for its first start. When it is started, it does that first.`)
    return false
  }
}

/** Whether Minecraft's own server is where it was put. */
export function isGameThere(installed: Installed | null, folder: string): boolean {
  const game = installed?.game
  if (!game) return true
  try {
    return lstatSync(path.join(folder, game.at)).isFile()
  } catch {
    return false
  }
}

/**
 * Puts it there again after it has gone, as copies of servers are made without it. Where it cannot be had that is said: the
 * start tries it itself. Rejects with Refusal where something is in its place, or the disk is full.
 */
export async function restoreGame(
  kind: RunKind,
  installed: Installed,
  spec: ServerSpec,
  ports: GamePorts & Pick<JavaPorts, 'filesOf' | 'records'>,
  install: InstallPorts,
): Promise<void> {
  const { game } = installed
  if (!game || isGameThere(installed, spec.folder)) return
  const file = await fetchGame(kind, game.version, ports, install)
  if (file === null) return
  const files = ports.filesOf(spec.id)
  await sweepStaged(files, ports.records)
  const { staged, folder } = await newStaged(files)
  try {
    await placeFile(file, folder, game.at)
    install.signal.throwIfAborted()
    requireRoomFor(folder, files.root)
    ports.records.write(spec.id, { ...installed, staged })
  } catch (error) {
    await removeTree(folder)
    install.signal.throwIfAborted()
    throw asRefusal(error, game.at)
  }
  placeStaged(files, ports.records)
}
