import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { offerFill } from '../../../tests/fixtures/catalogue-answers.ts'
import { javaServerJar } from '../../../tests/fixtures/java-server.ts'
import { OLD, openPaper } from './server-changes.fixture.ts'

it('a build that was chosen is told, installed, and kept when the software is installed again; then the newest is taken', async () => {
  const { catalogs, ask, id, change, reaches, software, power, at, folder, restart } = await openPaper()
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: OLD, build: '1' }))
  const build = (number: number, commits: string[], channel: 'STABLE' | 'ALPHA' = 'STABLE') => ({
    ...{ id: number, commits, channel, jar },
  })
  const builds = [build(9, ['Try'], 'ALPHA'), build(8, ['Mend beds\n\nAt last.']), build(7, ['Mend doors'])]
  offerFill(catalogs, 'paper', [{ id: OLD, java: 17, builds: [...builds, build(1, [])] }])
  // What is kept of the catalog is fresh for a while.
  await restart(() => rm(path.join(folder, 'software', 'catalogs'), { recursive: true }))

  const told = await ask(`GET /servers/software/builds/${id}?id=paper&version=${OLD}`)
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
