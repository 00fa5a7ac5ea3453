import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { offerFabric, offerVanilla } from '../../../tests/doubles/catalogs/catalog-answers.ts'
import { levelOf, LOST, NEW, OLD, openPaper } from './server-changes.fixture.ts'

it('a version is changed after a copy was made, and one step leads back to it with world, jar and record', async () => {
  const { ask, at, change, id, reaches, software, said, all, power, put } = await openPaper()
  const before = await all()
  expect((await change({ id: 'paper', version: NEW })).status).toBe(202)
  await reaches('offline')
  expect((await said()).slice(-2)).toEqual([
    `Changing the software to Paper ${NEW}. A copy of the server is made first.`,
    `The software is Paper ${NEW} now.`,
  ])
  expect(await software()).toMatchObject({
    ...{ id: 'paper', version: NEW, build: '2' },
    copy: {
      reason: 'change',
      software: { id: 'paper', name: 'Paper', version: OLD },
      bytes: expect.any(Number),
    },
  })
  expect((await ask(`GET /servers/${id}`)).body.software).toMatchObject({ id: 'paper', version: NEW })
  const after = await all()
  expect(after['server.jar']).not.toBe(before['server.jar'])
  expect({ ...after, 'server.jar': before['server.jar'] }).toEqual(before)
  await power('start')
  await reaches('online')
  expect((await said()).join('\n')).toContain(`Starting minecraft server version ${NEW}`)
  expect((await ask(`POST /servers/software/undo/${id}`)).body.error.code).toBe('server.running')
  await power('stop')
  await reaches('offline')
  await put('world/region/r.0.0.mca', 'converted')
  await put('logs/latest.log', 'a newer log')

  expect((await ask(`POST /servers/software/undo/${id}`)).status).toBe(202)
  expect(await all()).toEqual({ ...before, 'logs/latest.log': Buffer.from('a newer log').toString('base64') })
  expect((await said()).at(-1)).toBe(`The copy was restored. The software is Paper ${OLD} now.`)
  expect(await software()).toMatchObject({
    ...{ id: 'paper', version: OLD, build: '1' },
    copy: { reason: 'undo', software: { version: NEW } },
  })
  await power('start')
  await reaches('online')
  await power('stop')
  await reaches('offline')
  // And once more: what was undone is the copy now.
  expect((await ask(`POST /servers/software/undo/${id}`)).status).toBe(202)
  expect(await readFile(at('world/region/r.0.0.mca'), 'utf8')).toBe('converted')
  expect(await software()).toMatchObject({ version: NEW })

  expect((await ask(`DELETE /servers/software/copy/${id}`)).status).toBe(204)
  expect((await software()).copy).toBeNull()
  expect((await ask(`POST /servers/software/undo/${id}`)).body.error.code).toBe('software.no-copy')
})

it('a change that fails or is canceled leaves the server as it was, and the way back that there was', async () => {
  const { catalogs, change, reaches, software, said, all, power, copies, id, ask } = await openPaper()
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  await ask(`POST /servers/software/undo/${id}`)
  const [before, way] = [await all(), await software()]

  const end = catalogs.fail('/paper/v1/objects', { kind: 'status', status: 404 })
  await change({ id: 'paper', version: LOST })
  await reaches('offline')
  expect((await said()).at(-1)).toMatch(
    /^The software was not changed, and the server is as it was before\. /,
  )
  expect([await all(), await software()]).toEqual([before, way])
  const status = async () => (await ask(`GET /servers/status/${id}`)).body
  expect((await status()).failure).toMatchObject({
    work: 'change',
    error: { code: 'software.download-failed' },
  })
  end()

  catalogs.fail('/paper/v1/objects', { kind: 'stalls' })
  await change({ id: 'paper', version: LOST })
  await expect
    .poll(async () => (await status()).installation)
    .toMatchObject({ step: 'software', cancelable: true })
  expect((await change({ id: 'paper', version: LOST })).body.error.code).toBe('server.installing')
  await power('stop')
  await reaches('offline')
  expect((await said()).at(-1)).toBe('The change was canceled. The server is as it was before.')
  expect(await status()).not.toHaveProperty('failure')
  expect([await all(), await software()]).toEqual([before, way])
  expect((await readdir(copies)).filter((name) => name.startsWith('copy-'))).toHaveLength(1)
})

it('what a change would do is said before: an older world, plugins that stop, Java, the copy and the room for it', async () => {
  const { catalogs, plan, ask, id, put } = await openPaper()
  offerVanilla(catalogs, [{ id: OLD, java: 99 }])
  offerFabric(catalogs, {
    games: [
      { version: '1.19.2', stable: true },
      { version: OLD, stable: true },
    ],
    loaders: [{ version: '0.16.9', stable: true }],
  })
  offerVanilla(catalogs, [
    { id: OLD, java: 99 },
    { id: '1.19.2', java: 17 },
  ])
  const fabric = await plan('fabric', OLD)
  expect(fabric.items).toEqual([
    {
      ...{ kind: 'plugins-stop', count: 1 },
      extensions: [{ name: 'Shop', version: null, problems: [{ kind: 'wrong-software' }] }],
    },
    { kind: 'java', major: 99 },
  ])
  expect(fabric.copyBytes).toBeGreaterThan(1000)
  expect(fabric.freeBytes).toBeGreaterThan(fabric.copyBytes)
  expect((await plan('paper', NEW)).items).toEqual([{ kind: 'newer-version', from: OLD, to: NEW }])
  expect((await plan('paper', OLD)).items).toEqual([{ kind: 'same-version' }])
  await put('world/level.dat', levelOf('1.21.4'))
  expect((await plan('vanilla', OLD)).items).toContainEqual({
    kind: 'older-version',
    from: '1.21.4',
    to: OLD,
  })
  const unknown = await ask(`GET /servers/software/plan/${id}?id=paper&version=9`)
  expect(unknown.body.error).toMatchObject({
    code: 'software.version-not-known',
    fields: { version: [expect.any(String)] },
  })
})

it.each([
  [[], ['logs/latest.log', 'server.jar']],
  [['config'], ['logs/latest.log', 'server.jar', 'server.properties']],
  [
    ['extensions', 'players', 'files'],
    ['logs/latest.log', 'notes.txt', 'ops.json', 'plugins/Shop.jar', 'plugins/Shop/config.yml', 'server.jar'],
  ],
])('a reset that keeps %j leaves a fresh world, and one step leads back', async (keep, left) => {
  const { ask, id, reaches, all, software, said } = await openPaper()
  const before = await all()
  expect((await ask(`POST /servers/reset/${id}`, { keep })).status).toBe(202)
  await reaches('offline')
  expect((await said()).at(-1)).toBe('The server is reset. A new world is created at the next start.')
  expect(Object.keys(await all()).sort()).toEqual(left)
  expect(await software()).toMatchObject({ version: OLD, copy: { reason: 'reset' } })
  await ask(`POST /servers/software/undo/${id}`)
  expect(await all()).toEqual(before)
})
