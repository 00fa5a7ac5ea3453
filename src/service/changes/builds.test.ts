import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { offerFill } from '../../../tests/doubles/catalogs/catalog-answers.ts'
import type { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { OLD, openPaper } from './server-changes.fixture.ts'

const offerBuilds = async (catalogs: CatalogServer) => {
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: OLD, build: '1' }))
  const build = (number: number, commits: string[], channel: 'STABLE' | 'ALPHA' = 'STABLE') => ({
    ...{ id: number, commits, channel, jar },
  })
  const builds = [build(9, ['Try'], 'ALPHA'), build(8, ['Mend beds\n\nAt last.']), build(7, ['Mend doors'])]
  offerFill(catalogs, 'paper', [{ id: OLD, java: 17, builds: [...builds, build(1, [])] }])
}

it('a build that was chosen is told, installed, and kept when the software is installed again; then the newest is taken', async () => {
  const { catalogs, ask, id, change, reaches, software, power, at, folder, restart } = await openPaper()
  await offerBuilds(catalogs)
  // What is kept of the catalog is fresh for a while.
  await restart(() => rm(path.join(folder, 'software', 'catalogs'), { recursive: true }))

  const told = await ask(`GET /software/paper/builds?version=${OLD}`)
  expect(told.body.items).toMatchObject([
    { id: '9', channel: 'experimental', changes: ['Try'] },
    { id: '8', channel: 'release', changes: ['Mend beds'] },
    { id: '7', channel: 'release', changes: ['Mend doors'] },
    { id: '1' },
  ])
  expect((await ask(`GET /servers/software/plan/${id}?id=paper&version=${OLD}&build=7`)).body.build).toBe('7')
  const refused = await change({ id: 'paper', version: OLD, build: '5' })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'software.build-not-known'])

  await change({ id: 'paper', version: OLD, build: '7' })
  await expect.poll(software).toMatchObject({ build: '7', pinned: true })
  await reaches('offline')
  await rm(at('server.jar'))
  await power('start')
  await reaches('online')
  expect(await software()).toMatchObject({ build: '7', pinned: true })

  await power('stop')
  await reaches('offline')
  await change({ id: 'paper', version: OLD })
  await expect.poll(software).toMatchObject({ build: '8' })
  expect(await software()).not.toHaveProperty('pinned')
  await reaches('offline')
})

it('a new server gets the build that was chosen for it, also where its installation failed first; one that is none is refused', async () => {
  const { catalogs, folder, ask, restart } = await openPaper()
  await offerBuilds(catalogs)
  await restart(() => rm(path.join(folder, 'software'), { recursive: true }))
  const create = (build: string) =>
    ask('POST /servers', {
      ...{ name: 'Chosen', software: { id: 'paper', version: OLD, build } },
      ...{ memoryMb: 512, acceptLicense: true },
    })
  const refused = await create('5')
  expect([refused.status, refused.body.error.code]).toEqual([422, 'software.build-not-known'])

  const mended = catalogs.fail('/paper/v1/objects', { kind: 'out of reach' })
  const { id } = (await create('7')).body
  const software = async () => (await ask(`GET /servers/software/${id}`)).body
  expect(await software()).toMatchObject({ build: '7', pinned: true })
  await expect
    .poll(async () => (await ask(`GET /servers/status/${id}`)).body.status, { interval: 20 })
    .toBe('offline')

  mended()
  await restart(() => Promise.resolve())
  await ask(`POST /servers/power/${id}`, { action: 'start' })
  await expect
    .poll(async () => (await ask(`GET /servers/status/${id}`)).body.status, { interval: 20 })
    .toBe('online')
  expect(await software()).toMatchObject({ build: '7', pinned: true })
})
