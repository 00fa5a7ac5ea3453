import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { NEW, OLD, openPaper } from './server-changes.fixture.ts'

it('a service that was killed within a step is after it or before it when it starts again', async () => {
  const { ask, id, reaches, all, software, restart, copies, at, change } = await openPaper()
  const before = await all()
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  const after = await all()
  const [current] = JSON.parse(await readFile(path.join(copies, 'current.json'), 'utf8'))
  const aside = {
    ...current,
    id: current.id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')),
    reason: 'undo',
    software: { id: 'paper', version: NEW },
  }

  // Going back: cut off when half of it is out, and when half of the other is in.
  const journal = { kind: 'undo', copy: current, aside, left: ['logs'], phase: 'out' }
  await restart(async () => {
    await mkdir(path.join(copies, aside.id))
    await rename(at('world'), path.join(copies, aside.id, 'world'))
    await writeFile(path.join(copies, 'journal.json'), JSON.stringify(journal))
  })
  expect(await all()).toEqual(before)
  expect(await software()).toMatchObject({
    version: OLD,
    copy: { reason: 'undo', software: { version: NEW } },
  })
  expect((await ask(`POST /servers/software/undo/${id}`)).status).toBe(202)
  expect(await all()).toEqual(after)
  expect(existsSync(path.join(copies, 'journal.json'))).toBe(false)
})

it('a change that was cut off before it was decided has not happened, and nothing of it is left', async () => {
  const { id, all, software, restart, copies, folder } = await openPaper()
  const before = await all()
  await restart(async () => {
    await mkdir(path.join(copies, 'copy-00000000-0000-0000-0000-000000000000'), { recursive: true })
    const copy = {
      ...{ id: 'copy-00000000-0000-0000-0000-000000000000', at: 1, reason: 'change', isOwners: false },
      ...{ software: { id: 'paper', version: OLD }, installed: null, bytes: 1 },
    }
    const journal = { kind: 'change', copy, to: { id: 'paper', version: NEW } }
    await writeFile(path.join(copies, 'journal.json'), JSON.stringify(journal))
    const record = path.join(folder, 'software', 'installed', `${id}.json`)
    const next = { ...JSON.parse(await readFile(record, 'utf8')), version: NEW }
    await writeFile(record.replace('.json', '.next.json'), JSON.stringify(next))
  })
  expect(await all()).toEqual(before)
  expect(await software()).toMatchObject({ version: OLD, build: '1', copy: null })
  await expect.poll(() => readdir(copies)).toEqual([])
  await expect.poll(() => readdir(path.join(folder, 'software', 'installed'))).toEqual([`${id}.json`])
})

it('nothing of a deleted server is left, also where its software is not offered any more', async () => {
  const { id, ask, change, reaches, copies, folder } = await openPaper()
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  expect(existsSync(copies)).toBe(true)
  await ask(`DELETE /servers/${id}?confirm=Mine`)
  expect(existsSync(copies)).toBe(false)
  expect(await readdir(path.join(folder, 'software', 'installed'))).toEqual([])
})

it('a folder in the way of the new jar is said, and nothing is changed', async () => {
  const { at, all, change, reaches, said, software, put } = await openPaper()
  await rm(at('server.jar'))
  await put('server.jar/inner.txt', 'mine')
  const before = await all()
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  expect((await said()).at(-1)).toContain('“server.jar” is a folder')
  expect(await all()).toEqual(before)
  expect(await software()).toMatchObject({ version: OLD, copy: null })
})

it('a change that was decided and could not be finished is not told as undone, and is finished with the next', async () => {
  const { change, reaches, said, software, copies, all, ask, id, folder } = await openPaper()
  const before = await all()
  // A folder stands where what is installed is to be written down.
  const record = path.join(folder, 'software', 'installed', `${id}.json`)
  await rm(record)
  await mkdir(path.join(record, 'in the way'), { recursive: true })
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  expect((await said()).at(-1)).toMatch(
    /^The change of this server could not be finished, and nothing is done/,
  )
  expect(await software()).toMatchObject({ version: NEW })
  expect((await ask(`GET /servers/${id}`)).body.software).toMatchObject({ version: NEW })
  expect((await change({ id: 'paper', version: OLD })).body.error.code).toBe('software.unsettled')
  // What both halves of it lie in is not swept meanwhile.
  expect((await readdir(copies)).filter((name) => name.startsWith('copy-'))).toHaveLength(1)
  await rm(record, { recursive: true })
  expect((await change({ id: 'paper', version: OLD })).status).toBe(202)
  await reaches('offline')
  expect(await software()).toMatchObject({ version: OLD, build: '1', copy: { software: { version: NEW } } })
  expect((await all())['server.jar']).toBe(before['server.jar'])
})

it('a change that the database does not take is told as not made, and the server is as it was before', async () => {
  const { change, reaches, said, software, all, folder, power } = await openPaper()
  const before = await all()
  using database = new DatabaseSync(path.join(folder, 'service.db'))
  database.exec(
    "CREATE TRIGGER full BEFORE UPDATE ON servers BEGIN SELECT RAISE(ABORT, 'it takes nothing'); END",
  )
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  expect((await said()).at(-1)).toBe(
    'The software was not changed, and the server is as it was before. it takes nothing',
  )
  expect(await software()).toMatchObject({ version: OLD, build: '1', copy: null })
  expect(await all()).toEqual(before)
  database.exec('DROP TRIGGER full')
  await power('start')
  await reaches('online')
})

it('what is open of a change is finished before a start, which has to be asked for again', async () => {
  const { change, reaches, said, power, copies } = await openPaper()
  await change({ id: 'paper', version: NEW })
  await reaches('offline')
  const [copy] = JSON.parse(await readFile(path.join(copies, 'current.json'), 'utf8'))
  const journal = { kind: 'change', copy, to: { id: 'paper', version: NEW } }
  await writeFile(path.join(copies, 'journal.json'), JSON.stringify(journal))
  await power('start')
  await expect
    .poll(async () => (await said()).join('\n'), { interval: 20 })
    .toContain('An earlier change of the server was finished first. Start it again.')
  expect(existsSync(path.join(copies, 'journal.json'))).toBe(false)
  await power('start')
  await reaches('online')
})

it('what the owner has reset nobody else brings back, and only the owner accepts a license', async () => {
  const { ask, asBen, id, reaches } = await openPaper()
  await ask(`POST /servers/reset/${id}`, { keep: [] })
  await reaches('offline')
  const codes = async () => [
    (await asBen(`POST /servers/software/undo/${id}`)).body.error?.code,
    (await asBen(`PUT /servers/software/${id}`, { id: 'paper', version: NEW })).body.error?.code,
  ]
  expect(await codes()).toEqual(['software.owners-copy', 'software.owners-copy'])
  expect((await ask(`POST /servers/software/undo/${id}`)).status).toBe(202)
  // What the owner has gone back from is the owner's, too.
  expect(await codes()).toEqual(['software.owners-copy', 'software.owners-copy'])

  const other = await ask('POST /servers', {
    ...{ name: 'Other', software: { id: 'demo', version: '1.16.5' }, memoryMb: 512 },
  })
  const wish = { id: 'paper', version: NEW, acceptLicense: true }
  const refused = await asBen(`PUT /servers/software/${other.body.id}`, wish)
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'software.owners-license'])
  expect((await ask(`PUT /servers/software/${other.body.id}`, wish)).status).toBe(202)
})
