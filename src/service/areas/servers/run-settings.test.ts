import { readFile } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { offerJava } from '../../../../tests/doubles/catalogs/adoptium-answers.ts'
import { offerFill } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../../tests/doubles/java-server.ts'
import { inContainers, openTestService, temporaryFolder } from '../../service.fixture.ts'

const VERSION = '1.20.4'

async function openPaper() {
  const catalogs = await CatalogServer.start()
  onTestFinished(() => catalogs.stop())
  const dataDir = await temporaryFolder()
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
  let it = await openTestService({ dataDir, catalogs: catalogs.settings })
  onTestFinished(() => it.service.close(true))
  const token = await it.account('ann@example.org')
  const ask = async (route: string, body?: unknown) => (await it.call(route, { token, body })).body
  const { id } = await ask('POST /servers', {
    ...{ name: 'My server', software: { id: 'paper', version: VERSION }, memoryMb: 512, acceptLicense: true },
  })
  const reaches = (status: string) =>
    expect.poll(async () => (await ask(`GET /servers/status/${id}`)).status, { interval: 20 }).toBe(status)
  const said = async (): Promise<string[]> =>
    (await ask(`GET /servers/console/${id}`)).items.map(({ text }: { text: string }) => text)
  await reaches('offline')
  return {
    ...{ ask, reaches, said, dataDir, catalogs },
    id: String(id),
    start: () => ask(`POST /servers/power/${id}`, { action: 'start' }),
    change: (body: object) => ask(`PATCH /servers/config/${id}`, body),
    async startAgain() {
      await it.service.close(true)
      it = await openTestService({ dataDir, catalogs: catalogs.settings })
    },
  }
}

it('a server runs with the arguments its owner chose, and only with such as are known to be safe', async () => {
  const { ask, id, change, start, reaches } = await openPaper()
  expect(await ask(`GET /servers/config/${id}`)).toMatchObject({
    ...{ java: 'auto', jvmSet: 'default', javaArgs: [], autoStart: false, autoRestart: false },
  })
  const { error } = await change({ javaArgs: ['-javaagent:evil.jar'] })
  expect(error).toMatchObject({ code: 'software.arguments', fields: { javaArgs: [error.message] } })
  expect((await change({ jvmSet: 'zgc', javaArgs: ['-XX:+UseSerialGC'] })).error.code).toBe(
    'software.arguments',
  )
  const args = ['-Xss2M', '-XX:MaxGCPauseMillis=100']
  expect(await change({ jvmSet: 'aikar', javaArgs: args })).toMatchObject({ jvmSet: 'aikar', javaArgs: args })
  await start()
  await reaches('online')
})

it('the Javas that are here are told, and a chosen one that is too old for a server is told as what it is', async () => {
  const { ask, id, change, start, reaches } = await openPaper()
  const { items } = await ask('GET /software/java')
  expect(items).toContainEqual(
    expect.objectContaining({ major: 17, from: 'found', version: expect.stringMatching(/^17/) }),
  )
  await change({ java: '8' })
  await start()
  await reaches('crashed')
  expect(await ask(`GET /servers/crash/${id}`)).toMatchObject({
    ...{ cause: 'wrong-java', facts: { needed: 17, present: 8 }, exitCode: null },
  })
  await change({ java: '17' })
  await start()
  await reaches('online')
})

// The Java that is fetched is a script for the one of this computer, which no container has.
it.skipIf(inContainers)(
  'the Javas that can be downloaded are told beside those that are here, and none that are here or not built',
  async () => {
    const { ask, catalogs, change, start, reaches } = await openPaper()
    catalogs.put('/adoptium/v3/info/available_releases', { available_lts_releases: [8, 17, 21, 25] })
    await offerJava(catalogs, 21, '#!/bin/sh\nexec java "$@"\n')
    await offerJava(catalogs, 17, '#!/bin/sh\n')
    const told = async () =>
      (await ask('GET /software/java')).items.filter(({ from }: { from: string }) => from === 'catalog')
    expect(await told()).toEqual([{ id: 'catalog-21', major: 21, from: 'catalog' }])
    await change({ java: '21' })
    await start()
    await reaches('online')
    expect(await told()).toEqual([])
    expect((await ask('GET /software/java')).items).toContainEqual(
      expect.objectContaining({ major: 21, from: 'fetched' }),
    )
  },
)

it('where the catalog is out of reach, the Javas that are here are told all the same', async () => {
  const { ask, catalogs } = await openPaper()
  catalogs.fail('/adoptium', { kind: 'out of reach' })
  const { items } = await ask('GET /software/java')
  expect(items).toContainEqual(expect.objectContaining({ major: 17, from: 'found' }))
  expect(items).not.toContainEqual(expect.objectContaining({ from: 'catalog' }))
})

it('a chosen Java that is not here is fetched at the next start, and why it cannot be is said', async () => {
  const { change, start, reaches, said } = await openPaper()
  await change({ java: '21' })
  await start()
  await expect.poll(async () => (await said()).at(-1)).toMatch(/could not be installed\. .*Java 21/)
  await reaches('offline')
  expect(await said()).toContain('Java 21 is not on this computer. It is being downloaded.')
})

it('a server that is to start with the service does, and another one does not', async () => {
  const { change, startAgain, reaches, ask, id } = await openPaper()
  await startAgain()
  expect((await ask(`GET /servers/status/${id}`)).status).toBe('offline')
  await change({ autoStart: true })
  await startAgain()
  await reaches('online')
})

it('a server that crashes is started again three times in ten minutes where its owner wants that, and no more', async () => {
  const { change, start, reaches, said, ask, id } = await openPaper()
  await change({ autoRestart: true })
  await start()
  for (let crash = 1; crash <= 4; crash++) {
    await reaches('online')
    await ask(`POST /servers/command/${id}`, { command: 'crash kill' })
    await expect
      .poll(async () => (await said()).filter((line) => line.startsWith('The server crashed')).length)
      .toBe(crash)
  }
  await reaches('crashed')
  const lines = await said()
  expect(lines.filter((line) => /^Restarting the server automatically \(\d of 3/.test(line))).toHaveLength(3)
  expect(lines.at(-1)).toMatch(/crashed 4 times in 10 minutes and is no longer restarted automatically/)
})
