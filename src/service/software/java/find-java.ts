import { constants } from 'node:fs'
import { access, opendir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { runsOn, thisComputer, type JavaComputer } from './java-computer.ts'
import { readRelease, type JavaRelease } from './release-file.ts'
import { type UsualFolder, usualFolders } from './usual-folders.ts'

export interface InstalledJava extends JavaRelease {
  /** Real path. */
  home: string
  executable: string
  /** Belongs to a game launcher, which may replace or remove it. */
  isLaunchers: boolean
}

interface FindJavaOptions {
  computer?: JavaComputer
  env?: NodeJS.ProcessEnv
  folders?: UsualFolder[]
}

const MOST_NAMES = 200
const MOST_READ = 5000
const MOST_HOMES = 500

/** JAVA_HOME, PATH, then usual folders. Reads `release` files; runs nothing. */
export async function findJava({
  computer = thisComputer(),
  env = process.env,
  folders = usualFolders(computer.os, env, homedir()),
}: FindJavaOptions = {}): Promise<InstalledJava[]> {
  const found = new Map<string, InstalledJava>()
  const seen = new Set<string>()
  for await (const { folder, isLaunchers } of candidates(computer, env, folders)) {
    const home = await realpath(folder).catch(() => null)
    if (home === null || seen.has(home)) continue
    if (seen.size >= MOST_HOMES) break
    seen.add(home)
    const java = await javaAt(home, computer)
    if (java) found.set(java.home, { ...java, isLaunchers })
  }
  return [...found.values()]
}

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

async function* candidates(
  computer: JavaComputer,
  env: NodeJS.ProcessEnv,
  folders: readonly UsualFolder[],
): AsyncGenerator<{ folder: string; isLaunchers: boolean }> {
  for (const folder of await named(computer, env)) yield { folder, isLaunchers: false }
  for (const usual of folders)
    for (const folder of await homesIn(usual)) yield { folder, isLaunchers: usual.isLaunchers ?? false }
}

async function named(computer: JavaComputer, env: NodeJS.ProcessEnv): Promise<string[]> {
  const homes: string[] = []
  // Relative paths depend on the working directory.
  const { JAVA_HOME } = env
  if (JAVA_HOME && path.isAbsolute(JAVA_HOME)) homes.push(JAVA_HOME)
  const inPath = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).slice(0, MOST_NAMES)
  for (const folder of inPath.filter((one) => path.isAbsolute(one))) {
    const executable = await realpath(path.join(folder, executableName(computer))).catch(() => null)
    if (executable === null) continue
    const home = path.dirname(path.dirname(executable))
    homes.push(home)
    // Java 8 has a nested `jre`; its `release` file is one level up.
    if (path.basename(home) === 'jre') homes.push(path.dirname(home))
  }
  return homes
}

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

/** Sorted, filtered by prefix; empty if unreadable. */
async function namesIn(folder: string, begins: readonly string[] = ['']): Promise<string[]> {
  const names: string[] = []
  try {
    let read = 0
    for await (const { name } of await opendir(folder)) {
      if (begins.some((start) => name.startsWith(start))) names.push(name)
      if (++read >= MOST_READ || names.length >= MOST_NAMES) break
    }
  } catch {
    // Keep what was read.
  }
  return names.sort()
}
