import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { levelDat, paperJar, VERSION } from '../../../../tests/fixtures/moved-server.ts'
import { rawZip, UNIX } from '../../../../tests/fixtures/raw-zip.ts'
import { folderOf, openImports } from './imports.fixture.ts'

it('a world keeps its name, however the archive was made', async () => {
  const { sent, create, folder } = await openImports()
  for (const [host, name] of [
    [UNIX, 'Welt-Müller'],
    [0, '世界'],
  ] as const) {
    const { id, found } = await sent(
      rawZip([
        { name: '/Server/server.properties', content: `level-name=${name}\n`, host },
        { name: `/Server/${name}/level.dat`, content: levelDat(VERSION), host },
        { name: '/Server/server.jar', content: await paperJar(), host },
      ]),
    )
    expect(found).toMatchObject({ worlds: [{ name, version: VERSION }], leftOut: 0, names: null })
    const made = await create(id)
    expect(readdirSync(folderOf(folder, made.body.id))).toContain(name)
  }
})

it('an archive whose names are not Unicode can be extracted again in another encoding, and is not kept in the server', async () => {
  const { sent, looked, ask, create, folder } = await openImports()
  // 世界 in GBK, 각썹 in the Korean encoding.
  const world = Buffer.from('cac0bde7', 'hex')
  const names = [
    ['level.dat', levelDat(VERSION)],
    ['server.properties', ''],
  ] as const
  const archive = rawZip(
    names.map(([name, content]) => ({
      name: name === 'level.dat' ? Buffer.concat([world, Buffer.from(`/${name}`)]) : name,
      content,
    })),
  )
  const { id, found } = await sent(archive)
  expect(found).toMatchObject({ worlds: [{ name: '世界' }], names: { encoding: 'gbk', guessed: true } })
  const again = async (encoding: string) => {
    const body = { archive: 'server.zip', names: encoding }
    expect((await ask(`POST /imports/look/${id}`, body)).status).toBe(202)
    await expect
      .poll(async () => (await ask(`GET /imports/${id}`)).body.state, { interval: 10 })
      .toBe('ready')
    return (await ask(`GET /imports/${id}`)).body.found
  }
  expect(await again('euc-kr')).toMatchObject({
    ...{ worlds: [{ name: '各썹' }], names: { encoding: 'euc-kr', guessed: false } },
  })
  expect((await ask(`POST /imports/look/${id}`, { archive: 'server.zip', names: 'latin1' })).status).toBe(422)
  expect((await looked(id, 'server.zip')).found).toMatchObject({ worlds: [{ name: '世界' }] })
  const made = await create(id)
  expect(made.status).toBe(201)
  expect(readdirSync(folderOf(folder, made.body.id))).toEqual(expect.arrayContaining(['世界']))
  expect(readdirSync(folderOf(folder, made.body.id))).not.toContain('server.zip')
  expect(readdirSync(path.join(folder, 'imports'))).toEqual([])
})

it('what was left out is told by name', async () => {
  const { sent } = await openImports()
  const { found } = await sent(
    rawZip([
      { name: 'server.properties' },
      { name: 'logs/latest', mode: 0o120777, host: UNIX },
      { name: `${'x'.repeat(300)}.txt` },
    ]),
  )
  expect(found).toMatchObject({
    leftOut: 2,
    omissions: [
      { name: 'logs/latest', reason: 'link' },
      { name: expect.stringMatching(/^x+…x+\.txt$/), reason: 'name' },
    ],
  })
})
