import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NO_DISK } from '../../../../tests/faults/small-disk.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { smallDisk } from '../../small-disk.fixture.ts'
import { openDownloads, patient } from '../../../../tests/doubles/file-server.ts'
import { CatalogClient } from '../../../extensions/requests/catalog-client.ts'
import { HeldClock } from '../catalogs/kinds/catalogs.fixture.ts'
import { Adoptium } from './adoptium.ts'
import { javaItems, startAdoptium, tarGz, zipped, type ArchiveCatalog } from './java-archive.fixture.ts'
import type { JavaComputer } from './java-computer.ts'
import { JavaStore } from './java-store.ts'

const LINUX: JavaComputer = { os: 'linux', architecture: 'x64' }
const KEY = '21/linux/x64/jre'

const offer = async (version: string, name = 'OpenJDK21U-jre_x64_linux_hotspot_21.0.5_11.tar.gz') => ({
  name,
  archive: await tarGz(javaItems(version)),
})

/** This version and no other. */
const only = (major: number) => ({ major, exact: true })
const orNewer = (major: number) => ({ major, exact: false })

async function openStore(offered: ArchiveCatalog, computer = LINUX, folder?: string, spareBytes = 0) {
  const server = await startAdoptium(offered)
  const data = folder ?? realpathSync(await temporaryFolder())
  const open = () => {
    const client = new CatalogClient({
      ...{ folder: path.join(data, 'catalogs'), contact: 'test@example.org', clock: new HeldClock() },
    })
    onTestFinished(() => client.close())
    const store = new JavaStore({
      folder: path.join(data, 'java'),
      downloads: openDownloads(path.join(data, 'downloads')),
      adoptium: new Adoptium(client, server.url),
      computer,
      spareBytes,
    })
    onTestFinished(() => store.close())
    return store
  }
  return { server, store: open(), open, javas: path.join(data, 'java') }
}

test('Javas are fetched, run, and found again side by side, without a network', async () => {
  const { store, server, open, javas } = await openStore({
    [KEY]: await offer('21.0.5'),
    '17/linux/x64/jdk': await offer('17.0.13', 'OpenJDK17U-jdk.tar.gz'),
  })
  const told: (number | null)[][] = []
  const java = await store.fetch(only(21), { ...patient(), onProgress: (...each) => void told.push(each) })
  expect(java).toMatchObject({ major: 21, version: '21.0.5', implementor: 'Eclipse Adoptium' })
  expect(java.home).toBe(path.join(javas, 'java-21-jdk-21.0.5-11'))
  if (process.platform !== 'win32')
    expect(execFileSync(java.executable, ['-version'], { encoding: 'utf8' })).toBe('Java 21.0.5 -version\n')
  expect(told.at(-1)?.[0]).toBe(told.at(-1)?.[1])
  // Where only a JDK is built, it is that.
  await store.fetch(only(17), patient())
  expect(server.asked.filter((one) => one.startsWith('/v3'))).toEqual([
    '/v3/assets/latest/21/hotspot?os=linux&architecture=x64&image_type=jre',
    '/v3/assets/latest/17/hotspot?os=linux&architecture=x64&image_type=jre',
    '/v3/assets/latest/17/hotspot?os=linux&architecture=x64&image_type=jdk',
  ])
  await server.close()
  const later = open()
  expect((await later.list()).map(({ major }) => major)).toEqual([17, 21])
  expect(await later.fetch(only(21), patient())).toEqual(java)
  expect(readdirSync(javas)).toHaveLength(2)
})

test('two who want the same at once have it fetched once, and one who gives up does not end it', async () => {
  const { store, server } = await openStore({ [KEY]: await offer('21.0.5') })
  const abort = new AbortController()
  const [ann, bob] = [store.fetch(only(21), { signal: abort.signal }), store.fetch(only(21), patient())]
  abort.abort(new Error('enough'))
  await expect(ann).rejects.toThrow('enough')
  expect((await bob).major).toBe(21)
  expect(server.asked).toHaveLength(2)
})

test('a Mac has its home two folders deeper, Windows a zip, and Alpine builds of its own', async () => {
  const mac = javaItems('21.0.5', 'jdk-21.0.5+11-jre', 'Contents/Home/')
  const extra = { name: '._jdk-21.0.5+11-jre', text: 'of the Mac' }
  const windows = javaItems('21.0.5', 'jdk-21.0.5+11-jre', '', 'java.exe')
  const offered: ArchiveCatalog = {
    '21/mac/aarch64/jre': { name: 'mac.tar.gz', archive: await tarGz([extra, ...mac]) },
    '21/windows/x64/jre': { name: 'windows.zip', archive: await zipped(windows) },
    '21/alpine-linux/x64/jre': await offer('21.0.5', 'alpine.tar.gz'),
  }
  const onMac = await openStore(offered, { os: 'mac', architecture: 'aarch64' })
  expect((await onMac.store.fetch(only(21), patient())).home).toBe(
    path.join(onMac.javas, 'java-21-jdk-21.0.5-11', 'Contents', 'Home'),
  )
  const onWindows = await openStore(offered, { os: 'windows', architecture: 'x64' })
  expect((await onWindows.store.fetch(only(21), patient())).executable).toMatch(/java\.exe$/)
  const onAlpine = await openStore(offered, { os: 'alpine-linux', architecture: 'x64' })
  await onAlpine.store.fetch(only(21), patient())
  expect(onAlpine.server.asked[1]).toBe('/archives/alpine.tar.gz')
})

test('what is not built for a computer is what its system translates, or a newer one that does', async () => {
  const intel = await tarGz(javaItems('8', 'jdk8', 'Contents/Home/', 'java', 'x86_64'))
  const windows = await zipped(javaItems('17.0.13', 'jdk-17', '', 'java.exe', 'amd64'))
  const offered: ArchiveCatalog = {
    '8/mac/x64/jre': { name: 'intel.tar.gz', archive: intel },
    '11/mac/aarch64/jre': {
      name: 'apple.tar.gz',
      archive: await tarGz(javaItems('11.0.25', 'jdk-11', 'Contents/Home/')),
    },
    '17/windows/x64/jre': { name: 'windows.zip', archive: windows },
  }
  const mac = await openStore(offered, { os: 'mac', architecture: 'aarch64' })
  // Java 11 does too, and nothing has to translate it.
  expect((await mac.store.offered(orNewer(8), patient().signal)).major).toBe(11)
  expect(await mac.store.fetch(only(8), patient())).toMatchObject({ major: 8, arch: 'x86_64' })
  const onWindows = await openStore(offered, { os: 'windows', architecture: 'aarch64' })
  expect(await onWindows.store.fetch(only(17), patient())).toMatchObject({ major: 17, arch: 'amd64' })
  const onLinux = await openStore(offered, { os: 'linux', architecture: 'aarch64' })
  await expect(onLinux.store.fetch(only(17), patient())).rejects.toThrow('(linux, aarch64)')
})

test('where a newer one does, the next that is kept up for years is taken, and none that is known not to do', async () => {
  const { store } = await openStore({
    '17/linux/x64/jre': await offer('17.0.13', 'a.tar.gz'),
    '21/linux/x64/jre': await offer('21.0.5', 'b.tar.gz'),
  })
  const { signal } = patient()
  expect((await store.offered(orNewer(16), signal)).major).toBe(17)
  expect((await store.offered(orNewer(18), signal)).major).toBe(21)
  await expect(store.offered(orNewer(8), signal)).rejects.toMatchObject({ code: 'software.java-not-built' })
  await expect(store.offered(only(16), signal)).rejects.toMatchObject({ code: 'software.java-not-built' })
  expect(await store.fetchable(signal)).toEqual([17, 21])
})

test('what is not built, not safe, or not what it says is a sentence, and nothing stays', async () => {
  const { store, javas } = await openStore({
    [KEY]: { ...(await offer('21.0.5')), checksum: null },
    '17/linux/x64/jre': { ...(await offer('17', 'a.tar.gz')), link: 'http://example.org/a.tar.gz' },
    '11/linux/x64/jre': { ...(await offer('11', 'b.tar.gz')), checksum: '0'.repeat(64) },
    '25/linux/x64/jre': await offer('24', 'c.tar.gz'),
    '8/linux/x64/jre': { name: 'd.tar.gz', archive: await tarGz([{ name: '../a' }]) },
    '9/linux/x64/jre': { name: 'e.tar.gz', archive: await tarGz([{ name: 'a' }, { name: 'b' }]) },
  })
  for (const [major, words] of [
    [16, "Adoptium doesn't offer Java 16 for this computer (linux, x64)."],
    [21, 'It lists no checksum for jdk-21.0.5+11'],
    [17, 'It gives an address without encryption'],
    [11, "isn't the file its catalog lists"],
    [25, 'The archive contains no Java 25 for this computer.'],
    [8, 'leads out of its folder'],
    [9, 'does not contain one folder with all the rest in it'],
  ] as const)
    await expect(store.fetch(only(major), patient())).rejects.toThrow(words)
  expect(readdirSync(javas)).toEqual([])
})

test('a catalog that cannot be reached or read is a sentence', async () => {
  const { store, server } = await openStore({})
  await server.close()
  await expect(store.fetch(only(21), patient())).rejects.toMatchObject({
    status: 502,
    message: expect.stringMatching(
      /^Java couldn't be looked up at 127\.0\.0\.1.* can't be reached right now\./,
    ),
  })
})

test('Javas that run no server are told with their size and removed, unless a server needs one right before that', async () => {
  const { store, javas } = await openStore({
    [KEY]: await offer('21.0.5'),
    '17/linux/x64/jre': await offer('17.0.13', 'OpenJDK17U-jre.tar.gz'),
  })
  await store.fetch(only(21), patient())
  const { home } = await store.fetch(only(17), patient())
  const needs17 = [{ major: 17, exact: false }]
  const unused = await store.unused(needs17, [])
  expect(unused).toEqual([{ name: 'java-21-jdk-21.0.5-11', major: 21, bytes: expect.any(Number) }])
  expect(unused[0]!.bytes).toBeGreaterThan(10)
  expect(await store.discard(unused, () => false)).toBe(0)
  expect(await store.discard(unused, () => true)).toBe(unused[0]!.bytes)
  expect(readdirSync(javas)).toEqual([path.basename(home)])
  // Where somebody else has put it on the computer, the newer one of the two is the one that is used.
  const found = { ...(await store.list())[0]!, home: '/usr/lib/jvm/17', version: '17.0.99' }
  expect(await store.unused(needs17, [found])).toMatchObject([{ major: 17 }])
  expect(await store.unused([{ major: 99, exact: true }], [])).toMatchObject([{ major: 17 }])
})

test('what a kill left half unpacked is no Java, and is removed', async () => {
  const { store, javas } = await openStore({ [KEY]: await offer('21.0.5') })
  mkdirSync(path.join(javas, '.new-1-1', 'jdk', 'bin'), { recursive: true })
  writeFileSync(path.join(javas, '.new-1-1', 'jdk', 'release'), 'JAVA_VERSION="21"')
  mkdirSync(path.join(javas, 'java-21-jdk-21.0.5-11'))
  expect(await store.list()).toEqual([])
  await store.sweep()
  expect(readdirSync(javas)).toEqual(['java-21-jdk-21.0.5-11'])
  expect((await store.fetch(only(21), patient())).version).toBe('21.0.5')
})

test('where there is no room to unpack, that is told with figures, and what was fetched is used later', async ({
  skip,
}) => {
  const disk = await smallDisk(2)
  if (!disk) return skip(NO_DISK)
  // Zeros: some thousand bytes to fetch, and more than the disk when unpacked.
  const items = [
    ...javaItems('21.0.5'),
    { name: 'jdk-21.0.5+11-jre/lib/modules', text: '\0'.repeat(4_000_000) },
  ]
  const offered = { [KEY]: { name: 'large.tar.gz', archive: await tarGz(items) } }
  const { store, javas, server } = await openStore(offered, LINUX, disk.folder)
  for (let times = 0; times < 2; times++)
    await expect(store.fetch(only(21), patient())).rejects.toMatchObject({
      status: 507,
      message: expect.stringMatching(
        /There isn't enough space .* are free\. Free up space, then try again\./,
      ),
    })
  expect(readdirSync(javas)).toEqual([])
  expect(server.asked.filter((one) => one.startsWith('/archives'))).toHaveLength(1)
})
