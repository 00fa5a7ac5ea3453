import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import { findJava, usualFolders } from './find-java.ts'
import { thisComputer, type JavaComputer } from './java-computer.ts'
import { majorOf, parseRelease } from './release-file.ts'

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
    folders: [{ folder: at('jvm') }, { folder: at('opt'), begins: 'jdk' }, { folder: at('missing') }],
  })
  expect(found.map(({ home, major }) => [home, major])).toEqual([
    [first, 25],
    [eight, 8],
    [other, 17],
    [within, 21],
  ])
  expect(found[0]).toMatchObject({ executable: path.join(first, 'bin/java'), implementor: 'Somebody' })
})

test('a Mac keeps them two folders deeper, and runs those for its older processors too', async () => {
  const root = realpathSync(await temporaryFolder())
  const home = makeJava(path.join(root, 'temurin.jdk/Contents/Home'), '21', 'OS_ARCH="x86_64"')
  const mac: JavaComputer = { os: 'mac', architecture: 'aarch64' }
  const [folder] = usualFolders('mac', {}, root)
  expect(folder).toMatchObject({ folder: '/Library/Java/JavaVirtualMachines', below: 'Contents/Home' })
  const found = await findJava({
    computer: mac,
    env: {},
    folders: [{ folder: root, below: 'Contents/Home' }],
  })
  expect(found.map((java) => java.home)).toEqual([home])
})

test('Windows keeps them with its programs, by vendor, and runs java.exe', async () => {
  const root = realpathSync(await temporaryFolder())
  const env = { ProgramFiles: root }
  const home = makeJava(path.join(root, 'Eclipse Adoptium', 'jdk-21'), '21', '', 'java.exe')
  makeJava(path.join(root, 'Java', 'jdk-17'), '17')
  const computer: JavaComputer = { os: 'windows', architecture: 'x64' }
  const found = await findJava({ computer, env, folders: usualFolders('windows', env, root) })
  expect(found.map((java) => java.executable)).toEqual([path.join(home, 'bin', 'java.exe')])
})

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
