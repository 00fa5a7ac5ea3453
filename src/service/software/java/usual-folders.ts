import path from 'node:path'
import type { JavaComputer } from './java-computer.ts'

export interface UsualFolder {
  folder: string
  /** Name prefixes; default: all. */
  begins?: readonly string[]
  /** Nesting depth; default: directly inside. */
  levels?: number
  /** Subfolders that may be the Java home; default: none. */
  below?: readonly string[]
  /** Belongs to a game launcher, which may remove it. */
  isLaunchers?: true
}

const PACKAGES = [
  'openjdk',
  'jdk',
  'jre',
  'java',
  'temurin',
  'corretto',
  'zulu',
  'liberica',
  'microsoft-',
  'semeru',
  'sapmachine',
  'graalvm',
  'oraclejdk',
  'adopt',
]
const VENDORS = [
  'Eclipse Adoptium',
  'AdoptOpenJDK',
  'Java',
  'Microsoft',
  'Zulu',
  'Amazon Corretto',
  'BellSoft',
  'Semeru',
  'SapMachine',
  'OpenJDK',
]
/** Apple's layout, and Homebrew's. */
const MAC_HOMES = ['Contents/Home', '']
const BREW_HOMES = ['libexec/openjdk.jdk/Contents/Home', 'libexec']

/** In order: system packages, version managers, game launchers. @param home the service user's */
export function usualFolders(os: JavaComputer['os'], env: NodeJS.ProcessEnv, home: string): UsualFolder[] {
  if (os === 'windows') return ofWindows(env, home)
  return os === 'mac' ? ofMac(env, home) : ofLinux(env, home)
}

/** Ignores relative paths. */
const folderOf = (value: string | undefined, otherwise: string): string =>
  value && path.isAbsolute(value) ? value : otherwise

function ofTools(
  env: NodeJS.ProcessEnv,
  home: string,
  below: readonly string[],
  data: string,
): UsualFolder[] {
  return [
    path.join(home, '.jdks'),
    path.join(folderOf(env['SDKMAN_DIR'], path.join(home, '.sdkman')), 'candidates', 'java'),
    path.join(folderOf(env['ASDF_DATA_DIR'], path.join(home, '.asdf')), 'installs', 'java'),
    path.join(folderOf(env['MISE_DATA_DIR'], path.join(data, 'mise')), 'installs', 'java'),
    path.join(folderOf(env['JENV_ROOT'], path.join(home, '.jenv')), 'versions'),
    path.join(folderOf(env['JABBA_HOME'], path.join(home, '.jabba')), 'jdk'),
    path.join(folderOf(env['GRADLE_USER_HOME'], path.join(home, '.gradle')), 'jdks'),
  ].map((folder) => ({ folder, below }))
}

/** Mojang's runtimes: `NAME/SYSTEM/NAME`. */
const mojang = (folder: string, below: readonly string[] = ['']): UsualFolder => ({
  folder,
  levels: 3,
  below,
  isLaunchers: true,
})

const ofLauncher = (folder: string, below: readonly string[] = ['']): UsualFolder => ({
  folder,
  below,
  isLaunchers: true,
})

function ofLinux(env: NodeJS.ProcessEnv, home: string): UsualFolder[] {
  const data = folderOf(env['XDG_DATA_HOME'], path.join(home, '.local', 'share'))
  const flatpak = path.join(home, '.var', 'app')
  const below = ['']
  return [
    { folder: '/usr/lib/jvm' },
    { folder: '/usr/lib64/jvm' },
    { folder: '/usr/java' },
    { folder: '/usr/local/openjdk' },
    { folder: '/opt' },
    { folder: '/opt/java' },
    { folder: '/opt/jdk' },
    { folder: '/snap', begins: PACKAGES, below: ['current/jdk', 'current'] },
    { folder: '/home/linuxbrew/.linuxbrew/Cellar', begins: PACKAGES, levels: 2, below: ['libexec'] },
    ...ofTools(env, home, below, data),
    mojang(path.join(home, '.minecraft', 'runtime')),
    mojang(path.join(flatpak, 'com.mojang.Minecraft', '.minecraft', 'runtime')),
    ...['PrismLauncher', 'multimc'].map((name) => ofLauncher(path.join(data, name, 'java'))),
    ofLauncher(path.join(flatpak, 'org.prismlauncher.PrismLauncher', 'data', 'PrismLauncher', 'java')),
    mojang(path.join(home, 'curseforge', 'minecraft', 'Install', 'runtime')),
    mojang(path.join(home, 'Documents', 'curseforge', 'minecraft', 'Install', 'runtime')),
    ofLauncher(path.join(data, 'ModrinthApp', 'meta', 'java_versions')),
  ]
}

function ofMac(env: NodeJS.ProcessEnv, home: string): UsualFolder[] {
  const support = path.join(home, 'Library', 'Application Support')
  const bundled = ['jre.bundle/Contents/Home', ...MAC_HOMES]
  return [
    { folder: '/Library/Java/JavaVirtualMachines', below: MAC_HOMES },
    { folder: path.join(home, 'Library', 'Java', 'JavaVirtualMachines'), below: MAC_HOMES },
    // Apple silicon and Intel.
    ...['/opt/homebrew', '/usr/local'].flatMap((brew) => [
      { folder: path.join(brew, 'opt'), begins: PACKAGES, below: BREW_HOMES },
      { folder: path.join(brew, 'Cellar'), begins: PACKAGES, levels: 2, below: BREW_HOMES },
    ]),
    ...ofTools(env, home, MAC_HOMES, path.join(home, '.local', 'share')),
    mojang(path.join(support, 'minecraft', 'runtime'), bundled),
    ofLauncher(path.join(support, 'PrismLauncher', 'java'), bundled),
    ofLauncher(path.join(support, 'MultiMC', 'java'), bundled),
    mojang(path.join(home, 'Documents', 'curseforge', 'minecraft', 'Install', 'runtime'), bundled),
    ofLauncher(path.join(support, 'ModrinthApp', 'meta', 'java_versions'), bundled),
  ]
}

function ofWindows(env: NodeJS.ProcessEnv, home: string): UsualFolder[] {
  const local = folderOf(env['LOCALAPPDATA'], path.join(home, 'AppData', 'Local'))
  const roaming = folderOf(env['APPDATA'], path.join(home, 'AppData', 'Roaming'))
  const programs = [
    env['ProgramFiles'] ?? 'C:\\Program Files',
    env['ProgramFiles(x86)'] ?? 'C:\\Program Files (x86)',
    path.join(local, 'Programs'),
  ]
  const scoop = [
    folderOf(env['SCOOP'], path.join(home, 'scoop')),
    folderOf(env['SCOOP_GLOBAL'], path.join(env['ProgramData'] ?? 'C:\\ProgramData', 'scoop')),
  ]
  const store = path.join(local, 'Packages', 'Microsoft.4297127D64EC6_8wekyb3d8bbwe', 'LocalCache', 'Local')
  return [
    ...programs.flatMap((folder) => VENDORS.map((vendor) => ({ folder: path.join(folder, vendor) }))),
    // `VERSION` and a link `current`.
    ...scoop.map((folder) => ({ folder: path.join(folder, 'apps'), begins: PACKAGES, levels: 2 })),
    ...ofTools(env, home, [''], local),
    mojang(path.join(store, 'runtime')),
    mojang(path.join(roaming, '.minecraft', 'runtime')),
    mojang(path.join(env['ProgramFiles(x86)'] ?? 'C:\\Program Files (x86)', 'Minecraft Launcher', 'runtime')),
    ofLauncher(path.join(roaming, 'PrismLauncher', 'java')),
    ofLauncher(path.join(roaming, 'MultiMC', 'java')),
    mojang(path.join(home, 'curseforge', 'minecraft', 'Install', 'runtime')),
    ofLauncher(path.join(roaming, 'ModrinthApp', 'meta', 'java_versions')),
  ]
}
