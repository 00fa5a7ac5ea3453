import { constants } from 'node:fs'
import { access, opendir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { runsOn, thisComputer, type JavaComputer } from './java-computer.ts'
import { readRelease, type JavaRelease } from './release-file.ts'
import { type UsualFolder, usualFolders } from './usual-folders.ts'

/** A Java that can be run here. */
export interface InstalledJava extends JavaRelease {
  /** Its folder, with no link in its path. */
  home: string
  /** What is run. */
  executable: string
  /** A launcher of the game keeps it for itself: it may be replaced or gone at any time. */
  isLaunchers: boolean
}

export interface FindJavaOptions {
  computer?: JavaComputer
  env?: NodeJS.ProcessEnv
  /** Default: those of this system. */
  folders?: UsualFolder[]
}

/** Folders looked at for one usual folder, and in the path. */
const MOST_NAMES = 200
/** Names read of one folder, in which most may be something else. */
const MOST_READ = 5000
/** Folders that are looked at in all. */
const MOST_HOMES = 500

/**
 * The Javas that are installed here, each once: where JAVA_HOME points, on the PATH, and in the usual folders, in this
 * order. Only what says its version in a `release` file and can run on this computer. Nothing is started for it.
 */
export async function findJava({
  computer = thisComputer(),
  env = process.env,
  folders = usualFolders(computer.os, env, homedir()),
}: FindJavaOptions = {}): Promise<InstalledJava[]> {
  const found = new Map<string, InstalledJava>()
  const seen = new Set<string>()
  for await (const { folder, isLaunchers } of candidates(computer, env, folders)) {
    const home = await realpath(folder).catch(() => null)
    // Most links lead to what was looked at already.
    if (home === null || seen.has(home)) continue
    if (seen.size >= MOST_HOMES) break
    seen.add(home)
    const java = await javaAt(home, computer)
    if (java) found.set(java.home, { ...java, isLaunchers })
  }
  return [...found.values()]
}

/** The Java in a folder; null where there is none that can be run on this computer. */
export async function javaAt(folder: string, computer: JavaComputer): Promise<InstalledJava | null> {
  try {
    const home = await realpath(folder)
    const release = await readRelease(home)
    if (!release || !runsOn(computer, release)) return null
    const executable = path.join(home, 'bin', executableName(computer))
    if (!(await stat(executable)).isFile()) return null
    await access(executable, constants.X_OK)
    return { home, executable, isLaunchers: false, ...release }
  } catch {
    return null
  }
}

const executableName = ({ os }: JavaComputer) => (os === 'windows' ? 'java.exe' : 'java')

/** Folders in which a Java may be. */
async function* candidates(
  computer: JavaComputer,
  env: NodeJS.ProcessEnv,
  folders: readonly UsualFolder[],
): AsyncGenerator<{ folder: string; isLaunchers: boolean }> {
  for (const folder of await named(computer, env)) yield { folder, isLaunchers: false }
  for (const usual of folders)
    for (const folder of await homesIn(usual)) yield { folder, isLaunchers: usual.isLaunchers ?? false }
}

/** What the environment names. */
async function named(computer: JavaComputer, env: NodeJS.ProcessEnv): Promise<string[]> {
  const homes: string[] = []
  // Something that is no absolute path would mean another folder for each who asks.
  const { JAVA_HOME } = env
  if (JAVA_HOME && path.isAbsolute(JAVA_HOME)) homes.push(JAVA_HOME)
  const inPath = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).slice(0, MOST_NAMES)
  for (const folder of inPath.filter((one) => path.isAbsolute(one))) {
    const executable = await realpath(path.join(folder, executableName(computer))).catch(() => null)
    if (executable === null) continue
    const home = path.dirname(path.dirname(executable))
    homes.push(home)
    // Java 8 has a `jre` of its own within, and the file that says what it is lies above.
    if (path.basename(home) === 'jre') homes.push(path.dirname(home))
  }
  return homes
}

/** Where the Javas of a usual folder would have their homes. */
async function homesIn({ folder, begins, levels = 1, below = [''] }: UsualFolder): Promise<string[]> {
  let at = [folder]
  for (let level = 1; level <= levels; level++) {
    const within: string[] = []
    for (const one of at) {
      const names = await namesIn(one, level === 1 ? begins : undefined)
      within.push(...names.map((name) => path.join(one, name)))
      if (within.length >= MOST_NAMES) break
    }
    at = within.slice(0, MOST_NAMES)
  }
  return at.flatMap((one) => below.map((home) => path.join(one, home)))
}

/** The names in a folder that begin so, in their order; none where it is not there or cannot be read. */
async function namesIn(folder: string, begins: readonly string[] = ['']): Promise<string[]> {
  const names: string[] = []
  try {
    let read = 0
    for await (const { name } of await opendir(folder)) {
      if (begins.some((start) => name.startsWith(start))) names.push(name)
      if (++read >= MOST_READ || names.length >= MOST_NAMES) break
    }
  } catch {
    // What was read until then counts.
  }
  return names.sort()
}
