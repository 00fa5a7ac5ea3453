import { constants } from 'node:fs'
import { access, readdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { runsOn, thisComputer, type JavaComputer } from './java-computer.ts'
import { readRelease, type JavaRelease } from './release-file.ts'

/** A Java that can be run here. */
export interface InstalledJava extends JavaRelease {
  /** Its folder, with no link in its path. */
  home: string
  /** What is run. */
  executable: string
}

/** Where Javas usually lie: folders that hold some, each under a name that begins so. */
export interface UsualFolder {
  folder: string
  begins?: string
  /** Below that name, where its home is. */
  below?: string
}

export interface FindJavaOptions {
  computer?: JavaComputer
  env?: NodeJS.ProcessEnv
  /** Default: those of this system. */
  folders?: UsualFolder[]
}

/** Things looked at in one folder, and in the path. */
const MOST_NAMES = 200

/** The folders of a system that installers of Java use. */
export function usualFolders(os: JavaComputer['os'], env: NodeJS.ProcessEnv, home: string): UsualFolder[] {
  const own = { folder: path.join(home, '.jdks') }
  if (os === 'mac') {
    const below = 'Contents/Home'
    return [
      { folder: '/Library/Java/JavaVirtualMachines', below },
      { folder: path.join(home, 'Library/Java/JavaVirtualMachines'), below },
      own,
    ]
  }
  if (os === 'windows') {
    const programs = [env['ProgramFiles'] ?? 'C:\\Program Files', env['ProgramFiles(x86)']]
    const vendors = ['Java', 'Eclipse Adoptium', 'Microsoft', 'Zulu', 'BellSoft', 'Amazon Corretto']
    return [
      ...programs.flatMap((folder) =>
        folder ? vendors.map((vendor) => ({ folder: path.join(folder, vendor) })) : [],
      ),
      own,
    ]
  }
  return [
    { folder: '/usr/lib/jvm' },
    { folder: '/usr/lib64/jvm' },
    { folder: '/opt', begins: 'jdk' },
    { folder: '/opt', begins: 'java' },
    { folder: '/opt/java' },
    own,
  ]
}

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
  for (const home of await candidates(computer, env, folders)) {
    const java = await javaAt(home, computer)
    if (java) found.set(java.home, java)
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
    return { home, executable, ...release }
  } catch {
    return null
  }
}

const executableName = ({ os }: JavaComputer) => (os === 'windows' ? 'java.exe' : 'java')

/** Folders in which a Java may be. */
async function candidates(
  computer: JavaComputer,
  env: NodeJS.ProcessEnv,
  folders: UsualFolder[],
): Promise<string[]> {
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
  for (const { folder, begins = '', below = '' } of folders) {
    const names = await readdir(folder).catch(() => [])
    const fitting = names.filter((name) => name.startsWith(begins)).sort()
    homes.push(...fitting.slice(0, MOST_NAMES).map((name) => path.join(folder, name, below)))
  }
  return homes
}
