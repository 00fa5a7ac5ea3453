import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import { findJava } from './find-java.ts'
import { thisComputer, type JavaComputer } from './java-computer.ts'
import { majorOf, parseRelease } from './release-file.ts'
import { usualFolders } from './usual-folders.ts'

const LINUX: JavaComputer = { os: 'linux', architecture: 'x64' }

/** A folder that looks like a Java. */
function makeJava(home: string, version: string, more = '', name = 'java'): string {
  mkdirSync(path.join(home, 'bin'), { recursive: true })
  writeFileSync(path.join(home, 'release'), `JAVA_VERSION="${version}"\nIMPLEMENTOR="Somebody"\n${more}`)
  writeFileSync(path.join(home, 'bin', name), '#!/bin/sh\n')
  chmodSync(path.join(home, 'bin', name), 0o755)
  return home
}

test.each([
  ['1.8.0_432', 8],
  ['9', 9],
  ['17.0.15', 17],
  ['26-ea', 26],
  ['1', null],
  ['0.1', null],
  ['1777', null],
  ['none', null],
])('the version %s is Java %s', (version, major) => {
  expect(majorOf(version)).toBe(major)
})

test('a release file is read for what it says of the Java, and one without a version says nothing', () => {
  const text =
    'IMPLEMENTOR="Eclipse Adoptium"\r\nJAVA_VERSION="21.0.5"\r\nLIBC="musl"\r\nOS_ARCH="aarch64"\r\nMODULES="a b"'
  expect(parseRelease(text)).toEqual({
    major: 21,
    version: '21.0.5',
    implementor: 'Eclipse Adoptium',
    arch: 'aarch64',
    libc: 'musl',
  })
  expect(parseRelease('JAVA_VERSION=21')).toMatchObject({
    major: 21,
    implementor: null,
    arch: null,
    libc: null,
  })
  expect(parseRelease('IMPLEMENTOR="Nobody"')).toBeNull()
})

test('Javas of the environment and the usual folders are found, each once, without what only looks like one', async () => {
  const root = realpathSync(await temporaryFolder())
  const at = (...parts: string[]) => path.join(root, ...parts)
  const first = makeJava(at('own/jdk-25'), '25.0.1')
  const eight = makeJava(at('eight'), '1.8.0_432')
  makeJava(at('eight/jre'), '1.8.0_432')
  writeFileSync(at('eight/jre/release'), '')
  mkdirSync(at('bin'))
  symlinkSync(at('eight/jre/bin/java'), at('bin/java'))
  const other = makeJava(at('jvm/java-17'), '17.0.15', 'OS_ARCH="amd64"\nLIBC="gnu"')
  symlinkSync('java-17', at('jvm/default'))
  symlinkSync(first, at('jvm/linked'))
  makeJava(at('jvm/musl'), '21', 'LIBC="musl"')
  makeJava(at('jvm/arm'), '21', 'OS_ARCH="aarch64"')
  makeJava(at('jvm/none'), 'unknown')
  chmodSync(path.join(makeJava(at('jvm/not-executable'), '21'), 'bin/java'), 0o644)
  symlinkSync('circle', at('jvm/circle'))
  execFileSync('mkfifo', [path.join(makeJava(at('jvm/pipe'), '21'), 'fifo')])
  execFileSync('mv', [at('jvm/pipe/fifo'), at('jvm/pipe/release')])
  const within = makeJava(at('opt/jdk-21'), '21.0.5')
  makeJava(at('opt/other-21'), '21.0.5')
  const found = await findJava({
    computer: LINUX,
    env: { JAVA_HOME: at('jvm/linked'), PATH: ['relative', at('bin'), at('nowhere')].join(path.delimiter) },
    folders: [{ folder: at('jvm') }, { folder: at('opt'), begins: ['jdk'] }, { folder: at('missing') }],
  })
  expect(found.map(({ home, major }) => [home, major])).toEqual([
    [first, 25],
    [eight, 8],
    [other, 17],
    [within, 21],
  ])
  expect(found[0]).toMatchObject({ executable: path.join(first, 'bin/java'), implementor: 'Somebody' })
})

/** Each a folder below somebody's home, and what is found of it: what is run, and whether a launcher keeps it. */
const HOMES: [what: string, os: JavaComputer['os'], home: string, isLaunchers: boolean][] = [
  ['IntelliJ', 'linux', '.jdks/temurin-21', false],
  ['SDKMAN', 'linux', '.sdkman/candidates/java/21-tem', false],
  ['asdf', 'linux', '.asdf/installs/java/temurin-21', false],
  ['mise', 'linux', '.local/share/mise/installs/java/21', false],
  ['jenv', 'linux', '.jenv/versions/21', false],
  ['Gradle', 'linux', '.gradle/jdks/adoptium-21', false],
  ["the game's launcher", 'linux', '.minecraft/runtime/java-runtime-delta/linux/java-runtime-delta', true],
  ['Prism', 'linux', '.local/share/PrismLauncher/java/java-runtime-delta', true],
  [
    'Prism as a Flatpak',
    'linux',
    '.var/app/org.prismlauncher.PrismLauncher/data/PrismLauncher/java/21',
    true,
  ],
  ['MultiMC', 'linux', '.local/share/multimc/java/21', true],
  ['the Modrinth app', 'linux', '.local/share/ModrinthApp/meta/java_versions/zulu21', true],
  ['Apple', 'mac', 'Library/Java/JavaVirtualMachines/temurin-21.jdk/Contents/Home', false],
  ['SDKMAN on a Mac', 'mac', '.sdkman/candidates/java/21-tem', false],
  ['asdf on a Mac', 'mac', '.asdf/installs/java/21/Contents/Home', false],
  [
    "the game's launcher on a Mac",
    'mac',
    'Library/Application Support/minecraft/runtime/java-runtime-delta/mac-os-arm64/java-runtime-delta/jre.bundle/Contents/Home',
    true,
  ],
  [
    'CurseForge on a Mac',
    'mac',
    'Documents/curseforge/minecraft/Install/runtime/java-runtime-delta/mac-os/java-runtime-delta/jre.bundle/Contents/Home',
    true,
  ],
  [
    'Prism on a Mac',
    'mac',
    'Library/Application Support/PrismLauncher/java/21/jre.bundle/Contents/Home',
    true,
  ],
  ['Adoptium for one user', 'windows', 'AppData/Local/Programs/Eclipse Adoptium/jdk-21', false],
  ['Scoop', 'windows', 'scoop/apps/temurin21-jdk/21.0.5', false],
  [
    'the launcher of the Microsoft Store',
    'windows',
    'AppData/Local/Packages/Microsoft.4297127D64EC6_8wekyb3d8bbwe/LocalCache/Local/runtime/java-runtime-delta/windows-x64/java-runtime-delta',
    true,
  ],
  ['Prism on Windows', 'windows', 'AppData/Roaming/PrismLauncher/java/21', true],
  [
    'CurseForge',
    'windows',
    'curseforge/minecraft/Install/runtime/java-runtime-delta/windows-x64/java-runtime-delta',
    true,
  ],
]

test.each(HOMES)('the Java that %s keeps is found', async (_what, os, home, isLaunchers) => {
  const root = realpathSync(await temporaryFolder())
  const name = os === 'windows' ? 'java.exe' : 'java'
  const java = makeJava(path.join(root, home), '21.0.5', '', name)
  const computer: JavaComputer = { os, architecture: 'x64' }
  const folders = usualFolders(os, {}, root).filter(({ folder }) => folder.startsWith(root))
  const found = await findJava({ computer, env: {}, folders })
  expect(found).toMatchObject([{ executable: path.join(java, 'bin', name), isLaunchers }])
})

test.each([
  ['linux', '/usr/lib/jvm'],
  ['linux', '/usr/java'],
  ['linux', '/opt'],
  ['mac', '/Library/Java/JavaVirtualMachines'],
  ['mac', '/opt/homebrew/opt'],
  ['mac', '/usr/local/Cellar'],
] as const)('on %s, %s is looked at', (os, folder) => {
  expect(usualFolders(os, {}, '/home/somebody').map((one) => one.folder)).toContain(folder)
})

test('Homebrew has each version behind a link too, and it is one Java; what else it has is left alone', async () => {
  const brew = realpathSync(await temporaryFolder())
  const within = 'libexec/openjdk.jdk/Contents/Home'
  const home = makeJava(path.join(brew, 'Cellar/openjdk@21/21.0.5', within), '21.0.5', 'OS_ARCH="aarch64"')
  makeJava(path.join(brew, 'Cellar/maven/3.9/libexec'), '21.0.1')
  mkdirSync(path.join(brew, 'opt'))
  for (const name of ['openjdk@21', 'java'])
    symlinkSync('../Cellar/openjdk@21/21.0.5', path.join(brew, 'opt', name))
  const folders = usualFolders('mac', {}, brew)
    .filter(({ folder }) => folder.startsWith('/opt/homebrew'))
    .map((one) => ({ ...one, folder: one.folder.replace('/opt/homebrew', brew) }))
  const found = await findJava({ computer: { os: 'mac', architecture: 'aarch64' }, env: {}, folders })
  expect(found.map((java) => java.home)).toEqual([home])
})

test('variables name other folders of such tools, unless they mean another one for each who asks', () => {
  const env = { SDKMAN_DIR: '/data/sdkman', ASDF_DATA_DIR: 'relative' }
  const folders = usualFolders('linux', env, '/home/somebody').map(({ folder }) => folder)
  expect(folders).toContain('/data/sdkman/candidates/java')
  expect(folders).toContain('/home/somebody/.asdf/installs/java')
})

test('of one folder two hundred are looked at, and five hundred of all', async () => {
  const root = realpathSync(await temporaryFolder())
  const folders = ['a', 'b', 'c'].map((name) => ({ folder: path.join(root, name) }))
  for (const { folder } of folders)
    for (let at = 0; at < 205; at++) makeJava(path.join(folder, `jdk-${at}`), '21')
  const of = (some: typeof folders) => findJava({ computer: LINUX, env: {}, folders: some })
  expect(await of(folders.slice(0, 1))).toHaveLength(200)
  expect(await of(folders)).toHaveLength(500)
})

test('a Mac with a processor of Apple runs those for its older ones too', async () => {
  const root = realpathSync(await temporaryFolder())
  const home = makeJava(path.join(root, 'temurin.jdk/Contents/Home'), '21', 'OS_ARCH="x86_64"')
  const found = await findJava({
    computer: { os: 'mac', architecture: 'aarch64' },
    env: {},
    folders: [{ folder: root, below: ['Contents/Home'] }],
  })
  expect(found.map((java) => java.home)).toEqual([home])
})

test.each(['Eclipse Adoptium', 'Microsoft', 'Zulu', 'Amazon Corretto', 'BellSoft', 'Semeru', 'Java'])(
  'Windows keeps those of %s with its programs, and runs java.exe',
  async (vendor) => {
    const root = realpathSync(await temporaryFolder())
    const env = { ProgramFiles: root }
    const home = makeJava(path.join(root, vendor, 'jdk-21'), '21', '', 'java.exe')
    makeJava(path.join(root, vendor, 'jdk-17'), '17')
    const computer: JavaComputer = { os: 'windows', architecture: 'x64' }
    const found = await findJava({ computer, env, folders: usualFolders('windows', env, root) })
    expect(found.map((java) => java.executable)).toEqual([path.join(home, 'bin', 'java.exe')])
  },
)

test.skipIf(process.platform !== 'linux')(
  'a real Java of this computer is found, and what is run is it',
  async () => {
    const found = await findJava()
    const java = found.find(({ home }) => home.startsWith('/usr/lib/jvm/'))
    expect(java, 'a JDK of the distribution, which the tests need').toBeDefined()
    expect(found.filter(({ home }) => home === java?.home)).toHaveLength(1)
    const { stderr } = spawnSync(java?.executable ?? '', ['-version'], { encoding: 'utf8' })
    expect(stderr).toContain(`"${java?.version}"`)
    expect(thisComputer().architecture).toMatch(/^(x64|aarch64)$/)
  },
)
