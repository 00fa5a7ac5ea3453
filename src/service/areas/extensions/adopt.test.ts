import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { type JarOfExtension, pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { javaServerJar } from '../../../../tests/doubles/java-server.ts'
import { type OpenOptions, openPaper, VERSION } from './extensions.fixture.ts'

/** A Paper server, and somebody who adds jars from a computer. */
async function open(options: OpenOptions = {}) {
  const server = await openPaper(options)
  const { ask, it: service, id, signedIn, list } = server
  /** Sends files as the panel does, and answers where they are. */
  const send = async (files: Record<string, JarOfExtension | Buffer>) => {
    const importId: string = (await ask('POST /imports?for=extension')).body.id
    for (const [name, jar] of Object.entries(files)) {
      const form = new FormData()
      form.append('path', name)
      form.append('file', new Blob([new Uint8Array(Buffer.isBuffer(jar) ? jar : await pluginJar(jar))]), 'x')
      const headers = { Authorization: `Bearer ${signedIn.token}` }
      const to = `${service.baseUrl}/servers/files/upload/${importId}`
      const answer = await fetch(to, { method: 'POST', headers, body: form })
      expect(answer.status).toBe(201)
      await answer.text()
    }
    return { importId, names: Object.keys(files) }
  }
  const adopt = (sent: object) => ask(`POST /servers/extensions/adopt/${id}`, sent)
  return {
    ...{ ...server, send, adopt },
    add: async (files: Record<string, JarOfExtension | Buffer>) => adopt(await send(files)),
    isKept: async ({ importId }: { importId: string }) =>
      (await ask(`GET /imports/${importId}`)).status === 200,
    versions: async () =>
      (await list()).map(({ name, version }: { name: string; version: string | null }) => [name, version]),
  }
}

it('a newer jar of an extension takes its place, whatever both are called, and one undo brings the older back', async () => {
  const { put, send, adopt, isKept, names, bytes, versions, changes, undo } = await open()
  await put('plugins/Shop-1.0.jar', { name: 'Shop', version: '1.0' })
  await put('plugins/Shop/config.yml', Buffer.from('a: 1'))
  await put('plugins/Lamp.jar', { name: 'Lamp', version: '3' })
  const older = await bytes('plugins/Shop-1.0.jar')
  // In the format that Paper loads before the other one.
  const sent = await send({ 'Shop-2.0.jar': { name: 'Shop', version: '2.0', form: 'paper' } })
  const added = await adopt(sent)
  expect([added.status, added.body.items]).toMatchObject([
    200,
    [{ name: 'Shop', version: '2.0', file: 'plugins/Shop-2.0.jar', enabled: true, problems: [] }],
  ])
  expect(await isKept(sent)).toBe(false)
  expect(await names()).toEqual(['Lamp.jar', 'Shop', 'Shop-2.0.jar'])
  expect((await changes()).last).toMatchObject({
    items: [{ name: 'Shop', from: '1.0', to: '2.0' }],
    undoable: true,
  })
  expect((await undo()).status).toBe(200)
  expect(await names()).toEqual(['Lamp.jar', 'Shop', 'Shop-1.0.jar'])
  expect(await bytes('plugins/Shop-1.0.jar')).toEqual(older)
  expect(await versions()).toEqual([
    ['Lamp', '3'],
    ['Shop', '1.0'],
  ])
})

it('an uploaded X.JAR is saved as X.jar, which the server loads', async () => {
  const { add, names } = await open()
  const { body } = await add({ 'Shop.JAR': { name: 'Shop', version: '1' } })
  expect(body.items).toMatchObject([{ file: 'plugins/Shop.jar', problems: [] }])
  expect(await names()).toEqual(['Shop.jar'])
})

it('several are added as one change, with what each of them is, and what is disabled stays disabled', async () => {
  const { put, add, names, changes, undo } = await open()
  await put('plugins/Lamp.jar.disabled', { name: 'Lamp', version: '3' })
  await put('plugins/core.jar', { name: 'Core', version: '1' })
  const { body } = await add({
    'lamp.jar': { name: 'Lamp', version: '3' },
    // Its file is called as that of another one: both stay.
    'Core.jar': { name: 'Other', version: '7' },
  })
  expect(body.items).toMatchObject([
    { name: 'Lamp', enabled: false },
    { name: 'Other', file: 'plugins/Core (2).jar' },
  ])
  expect(await names()).toEqual(['Core (2).jar', 'core.jar', 'lamp.jar.disabled'])
  const items = [
    { name: 'Lamp', from: '3', to: '3', did: 'replaced' },
    { name: 'Other', from: null, to: '7' },
  ]
  expect((await changes()).last.items).toEqual(items)
  await undo()
  expect(await names()).toEqual(['Lamp.jar.disabled', 'core.jar'])
  expect((await changes()).last.items).toEqual([items[0], { name: 'Other', from: '7', to: null }])
})

it('a jar for other software and one that describes nothing are added and said to be so; neither replaces what runs', async () => {
  const { put, add, changes, names, versions, undo } = await open()
  await put('plugins/Shop.jar', { name: 'Shop', version: '1' })
  const plain = await pluginJar({ name: 'x', version: '1', form: 'fabric' })
  const other = await add({ 'Shop-fabric.jar': { name: 'Shop', version: '2', form: 'fabric' } })
  expect(other.body.items).toMatchObject([
    { version: '2', kind: 'mod', problems: [{ kind: 'wrong-software', name: 'fabric' }] },
  ])
  expect(await versions()).toEqual([
    ['Shop', '2'],
    ['Shop', '1'],
  ])
  await undo()
  // What is inside of it is described, and itself is not.
  const library = new ZipFile()
  library.addBuffer(plain, 'inner.jar')
  library.end()
  const unknown = await add({ 'library.jar': await buffer(library.outputStream) })
  expect(unknown.body.items).toMatchObject([
    { name: 'library', version: null, kind: null, problems: [{ kind: 'not-described' }] },
  ])
  expect((await changes()).last.items).toEqual([{ name: 'library', from: null, to: null, did: 'added' }])
  await undo()
  expect((await changes()).last.items).toEqual([{ name: 'library', from: null, to: null, did: 'removed' }])
  expect(await names()).toEqual(['Shop.jar'])
})

it('a whole jar takes the place of a damaged one of its name', async () => {
  const { put, add, versions } = await open()
  await put('plugins/Shop.jar', (await pluginJar({ name: 'Shop', version: '1' })).subarray(0, 200))
  expect(await versions()).toEqual([['Shop', null]])
  await add({ 'shop.jar': { name: 'Shop', version: '1' } })
  expect(await versions()).toEqual([['Shop', '1']])
})

it('a damaged jar is refused by its name, with all that was to come with it, and what was sent is still there', async () => {
  const { send, adopt, isKept, names, changes, staged } = await withStaging()
  const sent = await send({
    'Lamp.jar': { name: 'Lamp', version: '1' },
    'Shop.jar': (await pluginJar({ name: 'Shop', version: '1' })).subarray(0, 200),
  })
  const { status, body } = await adopt(sent)
  expect([status, body.error.code]).toEqual([422, 'extensions.unreadable'])
  expect(body.error.message).toMatch(/“Shop\.jar” is damaged or incomplete/)
  expect(await names()).toEqual([])
  expect(await staged()).toEqual([])
  expect((await changes()).last).toBeNull()
  expect(await isKept(sent)).toBe(true)
  const missing = await adopt({ ...sent, names: ['Lamp.jar', 'None.jar'] })
  expect([missing.status, missing.body.error.code]).toEqual([404, 'files.not-found'])
  expect(await names()).toEqual([])
  expect((await adopt({ ...sent, names: ['Lamp.jar', 'Lamp.jar'] })).body.items).toMatchObject([
    { name: 'Lamp', file: 'plugins/Lamp.jar' },
  ])
  expect(await names()).toEqual(['Lamp.jar'])
})

it('while the server runs the older one stays where it is until the next start', async () => {
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  const { put, add, names, bytes, reaches, ask, id, versions } = await open({ jar })
  await put('plugins/Shop.jar', { name: 'Shop', version: '1' })
  const loaded = await bytes('plugins/Shop.jar')
  await ask(`POST /servers/power/${id}`, { action: 'start' })
  await reaches(id, 'online')
  const { body } = await add({ 'Shop.jar': { name: 'Shop', version: '2' } })
  expect(body.items).toMatchObject([{ name: 'Shop', version: '2', waits: true }])
  expect(await bytes('plugins/Shop.jar')).toEqual(loaded)
  expect(await versions()).toEqual([['Shop', '2']])
  await ask(`POST /servers/power/${id}`, { action: 'kill' })
  await reaches(id, 'offline')
  await expect.poll(() => bytes('plugins/Shop.jar')).not.toEqual(loaded)
  expect(await names()).toEqual(['Shop.jar'])
})

it('what others have sent, what is no jar and what is for software without extensions is refused', async () => {
  const { send, adopt, it: service, ask, id } = await open()
  const sent = await send({ 'Shop.jar': { name: 'Shop', version: '1' } })
  const token = await service.account('bob@example.org')
  const theirs = await service.call('POST /imports?for=extension', { token })
  expect((await adopt({ ...sent, importId: theirs.body.id })).body.error.code).toBe('imports.not-found')
  for (const name of ['../Shop.jar', 'a/Shop.jar', 'a\\Shop.jar', 'Shop.zip', '.jar'])
    expect((await adopt({ ...sent, names: [name] })).status, name).toBe(422)
  const at = `POST /servers/extensions/adopt/${id}`
  expect((await service.call(at, { token, body: sent })).status).toBe(404)
  const made = await ask('POST /servers', {
    ...{ name: 'Demo', software: { id: 'demo', version: '1.16.5' }, memoryMb: 512 },
  })
  if (made.status !== 201) return
  const refused = await ask(`POST /servers/extensions/adopt/${made.body.id}`, sent)
  expect([refused.status, refused.body.error.code]).toEqual([409, 'extensions.not-supported'])
})

it('jars that are more than the server may hold are refused, and nothing of them stays', async () => {
  const { add, names, staged } = await withStaging({ quotaBytes: 100_000 })
  const large = (name: string) => ({ name, version: '1', files: { noise: randomBytes(45_000) } })
  const { status, body } = await add({ 'One.jar': large('One'), 'Other.jar': large('Other') })
  expect(status).toBe(200)
  expect(body.items).toHaveLength(2)
  const refused = await add({ 'Third.jar': large('Third') })
  expect([refused.status, refused.body.error.code]).toEqual([507, 'files.quota'])
  expect(await names()).toEqual(['One.jar', 'Other.jar'])
  expect(await staged()).toEqual([])
})

/** The same, with what is prepared and has no place. */
async function withStaging(options: OpenOptions = {}) {
  const server = await open(options)
  const at = path.join(server.folder, 'staging', server.id, 'extensions')
  return { ...server, staged: async () => (await readdir(at)).filter((name) => name.endsWith('.jar')) }
}
