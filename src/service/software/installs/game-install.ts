import { lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { asRefusal } from '../../files/names/refusals.ts'
import { flushTree } from '../../files/safe-fs/copy-tree.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import { Refusal } from '../../../host/refusal.ts'
import type { ServerSpec } from '../../runtime/types.ts'
import type { RemoteFile } from '../catalog.ts'
import { compareVersions } from '../../../contract/rules/version-order.ts'
import type { Downloads } from '../downloads/downloads.ts'
import { saysOf } from '../downloads/host-pauses.ts'
import { placeFile, wantedGame } from './game-jar.ts'
import type { InstallationRecord } from '../installed.ts'
import { type InstallerRun, requireBounded, runInstaller } from './installer.ts'
import { said } from '../../runtime/install-run.ts'
import { refusalText, type RefusalText } from '../../../contract/messages/refusals/index.ts'
import type { JavaPorts } from './java-install.ts'
import type { RunKind } from '../java-kinds.ts'
import type { InstallPorts } from '../software.ts'
import { newStaged, placeStaged, requireRoomFor, sweepStaged } from './staged-files.ts'

export interface GamePorts {
  downloads: Pick<Downloads, 'fetch'>
  game: (version: string, signal: AbortSignal) => Promise<RemoteFile>
}

/** These need the vanilla server; installers fetch it themselves. */
const NEEDS_GAME = new Set(['paper', 'purpur', 'folia', 'fabric'])

/** Old installers download the vanilla server from a dead address, but use a local copy. */
const isOldForge = (id: string, version: string): boolean =>
  id === 'forge' && compareVersions(version, '1.17') < 0

export async function gameBytes(
  kind: RunKind,
  version: string,
  { game }: Pick<GamePorts, 'game'>,
  signal: AbortSignal,
): Promise<number | null> {
  const file = await gameOf(kind, version, { game }, signal)
  return file === 'unknown' ? null : file === null ? 0 : file.size
}

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

/** Half a minute; several on slow computers. */
const PATCHING_MS = 10 * 60_000
const TOLD_LINES = 20

/**
 * Returns what was placed. If the game is unavailable, reports it and returns undefined: the first start does it.
 * Throws on a full disk.
 */
export async function prepareGame(
  kind: RunKind,
  { jar, version, java, folder }: { jar: string; version: string; java: string; folder: string },
  ports: GamePorts,
  install: InstallPorts,
  runs: InstallerRun['runs'],
): Promise<InstallationRecord['game']> {
  // Java will report an invalid jar.
  const wanted = await wantedGame(path.join(folder, jar), version).catch(() => null)
  if (!wanted) return undefined
  const belongs = { version: wanted.version, at: wanted.at }
  const file = await fetchGame(kind, wanted.version, ports, install)
  if (file === null) return belongs
  // The file name is its SHA-256.
  if (wanted.sha256 !== null && path.basename(file) !== wanted.sha256) {
    install.say(refusalText('console.other-edition', { software: kind.name, version }))
    return undefined
  }
  await placeFile(file, folder, wanted.at)
  if (wanted.isPatched) {
    install.progress('setup', 0, null)
    const isDone = await patch(kind, { java, jar, folder }, install, runs)
    if (!isDone) {
      for (const name of await readdir(folder)) if (name !== jar) await removeTree(path.join(folder, name))
      await placeFile(file, folder, wanted.at)
    }
  }
  return belongs
}

/** For old Forge installers; if unavailable, the installer tries it itself. */
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
    say(refusalText('console.game-missing', { software: kind.name }), said(error))
    return null
  }
}

async function patch(
  kind: RunKind,
  { java, jar, folder }: { java: string; jar: string; folder: string },
  { signal, say }: InstallPorts,
  runs: InstallerRun['runs'],
): Promise<boolean> {
  const printed: RefusalText[] = []
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
    say(refusalText('console.not-made-ready', { software: kind.name }))
    return false
  }
}

export function isGameThere(installed: InstallationRecord | null, folder: string): boolean {
  const game = installed?.game
  if (!game) return true
  try {
    return lstatSync(path.join(folder, game.at)).isFile()
  } catch {
    return false
  }
}

/** If unavailable, reports it: the start tries it too. Throws if the path is occupied or the disk full. */
export async function restoreGame(
  kind: RunKind,
  installed: InstallationRecord,
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
