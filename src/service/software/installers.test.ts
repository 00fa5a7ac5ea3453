import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { onTestFinished, expect, it } from 'vitest'
import {
  offerForge,
  offerNeoForge,
  offerQuilt,
  offerVanilla,
} from '../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar, type JavaServerKind } from '../../../tests/doubles/java-server.ts'
import { findProcess } from '../runtime/processes/process-table.ts'
import { openTestService, temporaryFolder } from '../service.fixture.ts'
import { runInstaller } from './installs/installer.ts'

const MINECRAFT = '1.20.4'

/** A service whose catalogs offer all that comes with an installer. */
async function open(entries: Record<string, string> = {}) {
  const catalogs = await CatalogServer.start()
  const folder = await temporaryFolder()
  const running = await openTestService({ dataDir: folder, catalogs: catalogs.settings })
  onTestFinished(async () => {
    await running.service.close(true)
    await catalogs.stop()
  })
  const jar = async (kind: JavaServerKind, build: string) =>
    readFile(await javaServerJar({ kind, version: MINECRAFT, build, entries }))
  offerVanilla(catalogs, [{ id: MINECRAFT, java: 17 }])
  offerNeoForge(catalogs, ['20.4.237'], { jars: { '20.4.237': await jar('neoforge', '20.4.237') } })
  offerForge(catalogs, ['1.20.4-49.1.0'], {}, { '1.20.4-49.1.0': await jar('forge', '1.20.4-49.1.0') })
  offerQuilt(
    catalogs,
    [{ version: MINECRAFT, stable: true }],
    ['0.27.1'],
    [{ version: '0.12.0', jar: await jar('quilt', '0.27.1') }],
  )
  const token = await running.account('ann@example.org')
  const ask = async (route: string, body?: unknown) => (await running.call(route, { token, body })).body
  return {
    ...{ catalogs, folder, ask },
    create: async (id: string): Promise<string> =>
      (
        await ask('POST /servers', {
          ...{ name: 'Mine', software: { id, version: MINECRAFT }, memoryMb: 512, acceptLicense: true },
        })
      ).id,
    reaches: (id: string, wanted: string) =>
      expect.poll(async () => (await ask(`GET /servers/status/${id}`)).status, { interval: 20 }).toBe(wanted),
    said: async (id: string): Promise<string[]> =>
      (await ask(`GET /servers/console/${id}`)).items.map(({ text }: { text: string }) => text),
    power: (id: string, action: string) => ask(`POST /servers/power/${id}`, { action }),
    at: (id: string, ...names: string[]) => path.join(folder, 'servers', id, ...names),
  }
}

it.each([
  ['neoforge', 'NeoForge', ['libraries', 'user_jvm_args.txt']],
  ['forge', 'Forge', ['libraries', 'user_jvm_args.txt']],
  ['quilt', 'Quilt', ['quilt-server-launch.jar']],
])('%s is set up by its installer, and starts with what that left', async (kind, name, left) => {
  const { create, reaches, said, power, at, folder } = await open()
  const id = await create(kind)
  await reaches(id, 'offline')
  expect(await said(id)).toEqual([
    `Installing ${name} ${MINECRAFT}.`,
    expect.stringContaining(`Running the installer of ${name}.`),
    expect.stringMatching(/installed/i),
    `${name} ${MINECRAFT} is installed.`,
  ])
  // Neither scripts that take the computer's Java, nor anything beside.
  expect((await readdir(at(id))).sort()).toEqual(left)
  expect(await readdir(path.join(folder, 'staging', id))).toEqual([])
  await power(id, 'start')
  await reaches(id, 'online')
})

it.each([
  ['1.7.10', '1.7.10-10.13.4.1614-1.7.10', 'forge-1.7.10-10.13.4.1614-1.7.10-universal.jar'],
  ['1.16.5', '1.16.5-36.2.42', 'forge-1.16.5-36.2.42.jar'],
])(
  'the Forge of Minecraft %s is given the server that its installer finds nowhere any more',
  async (version, full, jar) => {
    const { catalogs, ask, reaches, said, power, at } = await open()
    offerVanilla(catalogs, [{ id: version, java: 17 }])
    const installer = await readFile(await javaServerJar({ kind: 'forge', version, build: full }))
    offerForge(catalogs, [full], {}, { [full]: installer })
    const { id } = await ask('POST /servers', {
      ...{ name: 'Old', software: { id: 'forge', version }, memoryMb: 512, acceptLicense: true },
    })
    await reaches(id, 'offline')
    expect((await said(id)).at(-1)).toBe(`Forge ${version} is installed.`)
    expect((await readdir(at(id))).sort()).toEqual([jar, 'libraries', `minecraft_server.${version}.jar`])
    await power(id, 'start')
    await reaches(id, 'online')
  },
)

it('an installer that fails is told with what it printed, and leaves nothing', async () => {
  const { create, reaches, said, at, catalogs, folder } = await open()
  offerNeoForge(catalogs, ['20.4.238'], { jars: { '20.4.238': Buffer.from('no jar') } })
  const id = await create('neoforge')
  await reaches(id, 'offline')
  expect((await said(id)).slice(-2)).toEqual([
    expect.stringMatching(/invalid or corrupt jarfile/i),
    expect.stringMatching(
      /^NeoForge 1\.20\.4 could not be installed\. The installer of NeoForge failed \(exit code 1\)/,
    ),
  ])
  expect(await readdir(at(id))).toEqual([])
  expect(await readdir(path.join(folder, 'staging', id))).toEqual([])
})

it('Stop ends an installer with all that it started, and nothing of it is left', async () => {
  const { create, reaches, said, at, power, folder } = await open({ 'installer-waits': 'yes' })
  const id = await create('forge')
  await expect.poll(async () => (await said(id)).at(-1)).toMatch(/^Waiting as process \d+/)
  const pid = Number(/\d+$/.exec((await said(id)).at(-1)!)?.[0])
  await power(id, 'stop')
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toBe('The installation was canceled.')
  expect(await findProcess(pid)).toBeNull()
  expect(await readdir(at(id))).toEqual([])
  expect(await readdir(path.join(folder, 'staging', id))).toEqual([])
})

it.skipIf(process.platform === 'win32')('an installer that cannot be noted down does not go on', async () => {
  const folder = await temporaryFolder()
  const java = path.join(folder, 'java')
  await writeFile(java, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
  let pid = 0
  const ran = runInstaller({
    ...{ name: 'Forge', java, jar: 'installer.jar', args: [], folder, say: () => undefined },
    signal: new AbortController().signal,
    runs(leader) {
      pid = leader!.pid
      throw new Error('the disk is full')
    },
  })
  await expect(ran).rejects.toThrow('the disk is full')
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

it('what people wrote into their own arguments stays when the software is renewed', async () => {
  const { create, reaches, at, ask } = await open()
  const id = await create('forge')
  await reaches(id, 'offline')
  await writeFile(at(id, 'user_jvm_args.txt'), '-Dmine=1\n')
  await ask(`PUT /servers/software/${id}`, { id: 'forge', version: MINECRAFT })
  await reaches(id, 'offline')
  expect(await readFile(at(id, 'user_jvm_args.txt'), 'utf8')).toBe('-Dmine=1\n')
  expect((await ask(`GET /servers/software/${id}`)).copy).toMatchObject({ reason: 'change' })
})

it('an installer that a killed service left running is ended by the next one, before anything else', async () => {
  const { create, reaches, said, folder, catalogs } = await open({ 'installer-waits': 'yes' })
  const { settings } = catalogs
  const id = await create('forge')
  await expect.poll(async () => (await said(id)).at(-1)).toMatch(/^Waiting as process \d+/)
  const pid = Number(/\d+$/.exec((await said(id)).at(-1)!)?.[0])
  // What the killed one has written, as the next one finds it.
  const left = await temporaryFolder()
  const noted = (within: string) => path.join(within, 'software', 'run', `${id}.json`)
  await mkdir(path.dirname(noted(left)), { recursive: true })
  await copyFile(noted(folder), noted(left))
  const next = await openTestService({ dataDir: left, catalogs: settings })
  onTestFinished(() => next.service.close(true))
  expect(await findProcess(pid)).toBeNull()
  expect(await readdir(path.dirname(noted(left)))).toEqual([])
  await reaches(id, 'offline')
  expect(existsSync(noted(folder))).toBe(false)
})
