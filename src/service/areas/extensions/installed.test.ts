import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openPaper } from './extensions.fixture.ts'

const ESSENTIALS = { name: 'Essentials', version: '2.20', authors: ['Zenexer'], description: 'The basics.' }

it('lists what lies in the folder of the server, as the jars say it, with what is wrong', async () => {
  const server = await openPaper()
  await server.put('plugins/Essentials-2.20.jar', ESSENTIALS)
  await server.put('plugins/Shop.jar', { name: 'Shop', version: '1', depends: ['Vault', 'essentials'] })
  await server.put('plugins/Off.jar.disabled', { name: 'Off', version: '3' })
  await server.put('plugins/new.jar', { name: 'New', version: '1', apiVersion: '1.21' })
  await server.put('plugins/mod.jar', { name: 'Lithium', version: '1', form: 'fabric' })
  await server.put('plugins/broken.jar', Buffer.from('no jar'))
  await server.put('plugins/config.yml', Buffer.from('a: 1'))
  const list = await server.list()
  expect(list.map(({ name, problems }: never) => [name, problems])).toEqual([
    ['broken', [{ kind: 'unreadable', reason: 'not-zip' }]],
    ['Essentials', []],
    ['Lithium', [{ kind: 'wrong-software', name: 'fabric' }]],
    ['New', [{ kind: 'wrong-version', name: 'minecraft', wants: '1.21' }]],
    ['Off', []],
    ['Shop', [{ kind: 'missing-dependency', name: 'Vault' }]],
  ])
  expect(list[1]).toMatchObject({
    ...{ id: 'plugin-Essentials', version: '2.20', file: 'plugins/Essentials-2.20.jar', enabled: true },
    ...{ kind: 'plugin', authors: ['Zenexer'], description: 'The basics.', pinned: false, waits: false },
  })
  expect(list[4]).toMatchObject({ enabled: false })
})

it("marks plugins the server doesn't load, and reports them as missing to those that need them", async () => {
  const server = await openPaper()
  await server.put('plugins/Flow.jar', {
    ...{ name: 'Other', version: '1', form: 'velocity' },
    files: { 'plugin.yml': 'name: Flow\nversion: 1.0\nmain: a.B\nauthors: [A], B\n' },
  })
  await server.put('plugins/No.jar', {
    name: 'X',
    version: '1',
    files: { 'plugin.yml': 'version: 1\nmain: a\n' },
  })
  await server.put('plugins/Vault.JAR', { name: 'Vault', version: '1' })
  await server.put('plugins/Lamp.Jar.disabled', { name: 'Lamp', version: '1' })
  await server.put('plugins/Shop.jar', { name: 'Shop', version: '1', depends: ['Vault', 'Flow'] })
  const list = await server.list()
  expect(list.map(({ name, problems }: never) => [name, problems])).toEqual([
    ['Flow', [{ kind: 'invalid-description', name: 'plugin.yml' }]],
    ['Lamp', []],
    ['No', [{ kind: 'invalid-description', name: 'plugin.yml', field: 'name' }]],
    [
      'Shop',
      [
        { kind: 'missing-dependency', name: 'Vault' },
        { kind: 'missing-dependency', name: 'Flow' },
      ],
    ],
    ['Vault', [{ kind: 'wrong-file-name', name: 'Vault.jar' }]],
  ])
})

it('an extension keeps its id while it is renamed, disabled and pinned, and two of the same are told apart', async () => {
  const server = await openPaper()
  await server.put('plugins/a.jar', ESSENTIALS)
  expect((await server.change('plugin-Essentials', { enabled: false, pinned: true })).body).toMatchObject({
    ...{ id: 'plugin-Essentials', enabled: false, pinned: true, file: 'plugins/a.jar.disabled' },
  })
  expect(await server.names()).toEqual(['a.jar.disabled'])
  expect((await server.change('plugin-Essentials', { enabled: true })).body).toMatchObject({ enabled: true })
  await server.put('plugins/b.jar', { ...ESSENTIALS, version: '2.21' })
  const list = await server.list()
  expect(new Set(list.map(({ id }: never) => id)).size).toBe(2)
  expect(list.map(({ file, problems }: never) => [file, problems])).toEqual([
    ['plugins/a.jar', [{ kind: 'duplicate', name: 'b.jar' }]],
    ['plugins/b.jar', [{ kind: 'duplicate', name: 'a.jar' }]],
  ])
  expect((await server.change('plugin-Nobody', { enabled: true })).body.error.code).toBe(
    'extensions.not-found',
  )
})

it('who removes one of two that are called the same, twice, does not remove the other', async () => {
  const server = await openPaper()
  await server.put('plugins/a.jar', ESSENTIALS)
  await server.put('plugins/b.jar', { ...ESSENTIALS, version: '2.21' })
  const idOf = async (version: string) =>
    (await server.list()).find((one: { version: string }) => one.version === version)?.id
  const [a, b] = [await idOf('2.20'), await idOf('2.21')]
  await server.change(a, { pinned: true })
  // They keep their ids, wherever each stands in the folder.
  expect((await server.change(a, { enabled: false })).body).toMatchObject({ id: a, version: '2.20' })
  expect([await idOf('2.20'), await idOf('2.21')]).toEqual([a, b])
  expect((await server.remove(a)).status).toBe(204)
  expect((await server.remove(a)).body.error.code).toBe('extensions.not-found')
  expect(await server.names()).toEqual(['b.jar'])
})

it('files whose names differ in capitals alone, or by being disabled, are told apart, and each can be removed', async ({
  skip,
}) => {
  const server = await openPaper()
  await server.put('folds', Buffer.from(''))
  if (existsSync(server.at('FOLDS'))) return skip('This disk does not tell names apart by their capitals.')
  const files = ['Shop.jar', 'Shop.jar.disabled', 'shop.jar']
  for (const [at, name] of files.entries())
    await server.put(`plugins/${name}`, { name: 'Shop', version: String(at) })
  const listed = async () =>
    (await server.list()).map(({ id, file, problems }: { id: string; file: string; problems: object[] }) => ({
      ...{ id, file: file.replace('plugins/', ''), problems },
    }))
  const all = await listed()
  expect(new Set(all.map(({ id }: { id: string }) => id)).size).toBe(3)
  expect(
    Object.fromEntries(
      all.map(({ file, problems }: { file: string; problems: object[] }) => [file, problems]),
    ),
  ).toEqual({
    'Shop.jar': [{ kind: 'duplicate', name: 'shop.jar' }],
    // It is not loaded.
    'Shop.jar.disabled': [],
    'shop.jar': [{ kind: 'duplicate', name: 'Shop.jar' }],
  })
  const idOf = (name: string) => all.find(({ file }: { file: string }) => file === name)!.id
  const taken = await server.change(idOf('Shop.jar.disabled'), { enabled: true })
  expect([taken.status, taken.body.error.code]).toEqual([409, 'extensions.name-taken'])
  expect((await server.remove(idOf('shop.jar'))).status).toBe(204)
  expect(await server.names()).toEqual(['Shop.jar', 'Shop.jar.disabled'])
  expect((await listed()).map(({ problems }: { problems: object[] }) => problems)).toEqual([[], []])
  await server.undo()
  expect(await server.names()).toEqual(files)
})

it('what is removed goes to the trash without its configuration, and comes back', async () => {
  const server = await openPaper()
  await server.put('plugins/a.jar', ESSENTIALS)
  await server.put('plugins/Essentials/config.yml', Buffer.from('a: 1'))
  const before = await server.bytes('plugins/a.jar')
  expect((await server.remove('plugin-Essentials')).status).toBe(204)
  expect(await server.names()).toEqual(['Essentials'])
  const trash = (await server.ask(`GET /servers/files/trash/${server.id}`)).body.items
  expect(trash).toMatchObject([{ path: 'plugins/a.jar' }])
  expect(await server.changes()).toMatchObject({
    last: { items: [{ name: 'Essentials', from: '2.20', to: null }], undoable: true, error: null },
  })
  const undone = await server.undo()
  expect(undone.body.last).toMatchObject({
    items: [{ name: 'Essentials', from: null, to: '2.20' }],
    undoable: true,
  })
  expect(await server.bytes('plugins/a.jar')).toEqual(before)
  expect((await server.ask(`GET /servers/files/trash/${server.id}`)).body.items).toEqual([])
  // And away again.
  await server.undo()
  expect(await server.names()).toEqual(['Essentials'])
})

it('what was changed by hand since is not undone', async () => {
  const server = await openPaper()
  expect((await server.undo()).body.error.code).toBe('extensions.nothing-to-undo')
  await server.put('plugins/a.jar', ESSENTIALS)
  await server.remove('plugin-Essentials')
  await server.put('plugins/a.jar', { ...ESSENTIALS, version: '3' })
  const own = await server.bytes('plugins/a.jar')
  expect((await server.changes()).last.undoable).toBe(false)
  expect((await server.undo()).body.error.code).toBe('extensions.changed-since')
  expect(await server.bytes('plugins/a.jar')).toEqual(own)
})

it('links are not followed out of the folder, and folders are no jars', async () => {
  const server = await openPaper()
  await server.put('plugins/a.jar', ESSENTIALS)
  const outside = path.join(server.folder, 'outside.jar')
  await writeFile(outside, await server.bytes('plugins/a.jar'))
  await symlink(outside, server.at('plugins/linked.jar'))
  await mkdir(server.at('plugins/folder.jar'))
  const list = await server.list()
  expect(list.map(({ name, problems }: never) => [name, problems])).toEqual([
    ['Essentials', []],
    ['linked', [{ kind: 'unreadable', reason: 'not-file' }]],
  ])
})
