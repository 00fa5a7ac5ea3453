import { once } from 'node:events'
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { mergedItems, toUndo } from '../../../extensions/folder/undo.ts'
import { inServer, staged, trashed } from '../../../extensions/folder/step.ts'
import { markOf } from '../../changes/steps.ts'
import { AFTER, BEFORE, changeAll, contents, openExtensions, prepare } from './changes.fixture.ts'

async function prepared() {
  const folder = await temporaryFolder()
  prepare(folder)
  return folder
}

const left = (folder: string) =>
  readdirSync(path.join(folder, 'staging/extensions')).filter((name) => name.endsWith('.jar'))

it('a change is done as a whole and undone as a whole', async () => {
  const folder = await prepared()
  const extensions = await openExtensions(folder)
  await changeAll(extensions)
  expect(contents(folder)).toEqual(AFTER)
  expect(left(folder)).toEqual([])
  await extensions.undo(() => undefined)
  expect(contents(folder)).toEqual(BEFORE)
  await extensions.undo(() => undefined)
  expect(contents(folder)).toEqual(AFTER)
})

it('whenever the process is killed, afterwards everything is as it was before or as it is to be', async () => {
  const [folder, kept] = [await prepared(), await temporaryFolder()]
  const worker = new Worker(
    new URL('../../../../tests/doubles/threads/extension-change.ts', import.meta.url),
    {
      workerData: { folder, kept },
    },
  )
  expect(await once(worker, 'exit')).toEqual([0])
  expect(contents(folder)).toEqual(AFTER)
  const seen = { before: 0, after: 0 }
  for (const name of readdirSync(kept).sort((a, b) => Number(a) - Number(b))) {
    const killed = path.join(kept, name)
    const extensions = await openExtensions(killed)
    await extensions.carryOut()
    const now = contents(killed)
    const isBefore = JSON.stringify(now) === JSON.stringify(BEFORE)
    seen[isBefore ? 'before' : 'after']++
    expect(now, `killed at ${name}`).toEqual(isBefore ? BEFORE : AFTER)
    expect(left(killed), `killed at ${name}`).toEqual([])
    if (isBefore) continue
    await extensions.undo(() => undefined)
    expect(contents(killed), `undone after ${name}`).toEqual(BEFORE)
  }
  expect(seen.before).toBeGreaterThan(2)
  expect(seen.after).toBeGreaterThan(10)
})

it('what cannot be done to its end is taken back, and said', async () => {
  const folder = await prepared()
  const extensions = await openExtensions(folder, () => false)
  await changeAll(extensions)
  // It waits while the server runs; meanwhile somebody takes a name that it needs.
  expect(contents(folder)).toEqual(BEFORE)
  writeFileSync(path.join(folder, 'servers/plugins/c.jar'), 'another')
  await extensions.beforeStart()
  expect(contents(folder)).toEqual({ ...BEFORE, 'c.jar': 'another' })
  expect(extensions.state).toMatchObject({
    ...{ waiting: [], last: null },
    error: { code: 'files.exists', items: [{ name: 'A', from: 'old', to: 'new' }], unfinished: false },
  })
  expect(left(folder)).toEqual([])
})

it('what waits is shown as it will be, can be undone, and is done before the next start', async () => {
  const folder = await prepared()
  const extensions = await openExtensions(folder, () => false)
  await changeAll(extensions)
  const shown = async () => (await extensions.list()).map(({ jar }) => [jar.path, jar.waits])
  expect(await shown()).toEqual([
    ['plugins/a.jar', true],
    ['plugins/b.jar.disabled', true],
    ['plugins/c.jar', true],
  ])
  await extensions.undo(() => undefined)
  expect((await shown()).map(([name]) => name)).toEqual(['plugins/a.jar', 'plugins/b.jar', 'plugins/d.jar'])
  await extensions.beforeStart()
  expect(contents(folder)).toEqual(BEFORE)
  await extensions.undo(() => undefined)
  expect(contents(folder)).toEqual(BEFORE)
  await extensions.beforeStart()
  expect(contents(folder)).toEqual(AFTER)
})

it('a crash at the first start since a change is told, and a later one is not', async () => {
  const folder = await prepared()
  const extensions = await openExtensions(folder)
  await extensions.beforeStart()
  extensions.heard('crashed')
  expect(extensions.state.firstRun).toBe('none')
  await changeAll(extensions)
  await extensions.beforeStart()
  extensions.heard('crashed')
  expect(extensions.state.firstRun).toBe('crashed')
  await extensions.undo(() => undefined)
  await extensions.beforeStart()
  extensions.heard('online')
  extensions.heard('offline')
  await extensions.beforeStart()
  extensions.heard('crashed')
  expect(extensions.state.firstRun).toBe('well')
})

it('after a crash at start one undo brings back what was there before all changes since the last good start', async () => {
  const folder = await prepared()
  const state = { isDown: true }
  const extensions = await openExtensions(folder, () => state.isDown)
  const replace = (name: string, from: string, to: string) =>
    extensions.commit(
      (jars) => {
        const at = extensions.work.staged(`${to}.jar`)
        writeFileSync(at, to)
        const stat = lstatSync(at)
        const path = `plugins/${name}.jar`
        const [old, trash] = [jars.get(path)!, extensions.newTrash()()]
        return {
          items: [{ name, from, to }],
          steps: [
            { from: inServer(path), to: trashed(trash), mark: old.mark, size: old.size },
            { from: staged(`${to}.jar`), to: inServer(path), mark: markOf(stat), size: stat.size },
          ],
        }
      },
      () => undefined,
    )
  const turnOff = (name: string) =>
    extensions.commit(
      (jars) => {
        const from = `plugins/${name}.jar`
        const { mark, size } = jars.get(from)!
        const steps = [{ from: inServer(from), to: inServer(`${from}.disabled`), mark, size }]
        return { items: [{ name, from: '1', to: '1' }], steps }
      },
      () => undefined,
    )
  await replace('a', '0', 'tried well')
  await extensions.beforeStart()
  extensions.heard('online')
  state.isDown = false
  const before = contents(folder)
  await replace('a', '1', '2')
  await turnOff('b')
  extensions.heard('offline')
  state.isDown = true
  await extensions.carryOut()
  await replace('a', '2', '3')
  await replace('d', '1', '2')
  await extensions.undo(() => undefined)
  await extensions.beforeStart()
  extensions.heard('crashed')
  // What came between is of no account, nor what was taken back before.
  expect(mergedItems(toUndo(extensions.state))).toEqual([
    { name: 'a', from: '1', to: '3' },
    { name: 'b', from: '1', to: '1' },
  ])
  const again = await openExtensions(folder)
  expect(await again.isUndoable()).toBe(true)
  await again.undo(() => undefined)
  expect(contents(folder)).toEqual(before)
  // What was there before is no suspect.
  await again.beforeStart()
  again.heard('crashed')
  expect(again.state.untried).toEqual([])
})

it('it is not undone where the trash was emptied', async () => {
  const folder = await prepared()
  const extensions = await openExtensions(folder)
  await changeAll(extensions)
  expect(await extensions.isUndoable()).toBe(true)
  rmSync(path.join(folder, 'trash'), { recursive: true })
  mkdirSync(path.join(folder, 'trash'))
  expect(await extensions.isUndoable()).toBe(false)
  await expect(extensions.undo(() => undefined)).rejects.toMatchObject({ code: 'extensions.changed-since' })
  expect(contents(folder)).toEqual(AFTER)
})

it('what waits to come back, and is erased before, is told, and nothing of that change is done', async () => {
  const folder = await prepared()
  let isDown = true
  const extensions = await openExtensions(folder, () => isDown)
  await changeAll(extensions)
  isDown = false
  await extensions.undo(() => undefined)
  rmSync(path.join(folder, 'trash'), { recursive: true })
  mkdirSync(path.join(folder, 'trash'))
  await extensions.beforeStart()
  expect(contents(folder)).toEqual(AFTER)
  expect(extensions.state).toMatchObject({ waiting: [], error: { code: 'extensions.changed-since' } })
})

it('a state that cannot be read is set aside with all that was prepared, and the server can be started', async () => {
  const folder = await prepared()
  const at = (name: string) => path.join(folder, 'staging/extensions', name)
  mkdirSync(at(''), { recursive: true })
  writeFileSync(at('state.json'), '{"waiting":[{')
  writeFileSync(at('prepared.jar'), 'perhaps still wanted')
  const extensions = await openExtensions(folder)
  await extensions.beforeStart()
  expect(readdirSync(at('')).sort()).toEqual(['prepared.jar', 'state.json.unreadable'])
  await changeAll(extensions)
  expect(contents(folder)).toEqual(AFTER)
})

it('what waits since an earlier version is done, and undone', async () => {
  const folder = await prepared()
  const at = (...names: string[]) => path.join(folder, ...names)
  mkdirSync(at('staging/extensions'), { recursive: true })
  writeFileSync(at('staging/extensions/1.jar'), 'a, new')
  const stat = (name: string) => {
    const found = lstatSync(at(name))
    return { mark: markOf(found), size: found.size }
  }
  const [a, b, d] = ['a.jar', 'b.jar', 'd.jar'].map((name) => stat(`servers/plugins/${name}`))
  const call = '0'.repeat(21)
  const steps = [
    { kind: 'out', path: 'plugins/a.jar', trash: `${call}-0`, ...a },
    { kind: 'in', staged: '1.jar', path: 'plugins/a.jar', ...stat('staging/extensions/1.jar') },
    { kind: 'move', from: 'plugins/b.jar', to: 'plugins/b.jar.disabled', ...b },
    { kind: 'out', path: 'plugins/d.jar', trash: `${call}-1`, ...d },
  ]
  const changes = [
    { id: '1', at: 1, items: [], steps },
    { id: '2', at: 2, items: [], steps: [{ kind: 'back', path: 'plugins/d.jar', trash: `${call}-1`, ...d }] },
  ]
  const state = { pinned: [], waiting: changes, goesBack: false, last: null, error: null, firstRun: 'none' }
  writeFileSync(at('staging/extensions/state.json'), JSON.stringify(state))
  // The first step was done when the process was killed.
  mkdirSync(at('trash', `${call}-0`), { recursive: true })
  renameSync(at('servers/plugins/a.jar'), at('trash', `${call}-0`, 'item'))
  const extensions = await openExtensions(folder)
  await extensions.carryOut()
  expect(contents(folder)).toEqual({ 'a.jar': 'a, new', 'b.jar.disabled': 'b', 'd.jar': 'd' })
  expect(left(folder)).toEqual([])
  await extensions.undo(() => undefined)
  expect(contents(folder)).toEqual({ 'a.jar': 'a, new', 'b.jar.disabled': 'b' })
})

it('no more than 50 changes wait for a start', async () => {
  const folder = await prepared()
  const extensions = await openExtensions(folder, () => false)
  const turn = (from: string, to: string) =>
    extensions.commit(
      (jars) => {
        const { mark, size } = jars.get(from)!
        return { items: [], steps: [{ from: inServer(from), to: inServer(to), mark, size }] }
      },
      () => undefined,
    )
  const [on, off] = ['plugins/b.jar', 'plugins/b.jar.disabled']
  for (let number = 0; number < 25; number++) {
    await turn(on, off)
    await turn(off, on)
  }
  await expect(turn(on, off)).rejects.toMatchObject({ code: 'extensions.too-many-wait' })
  expect(extensions.state.waiting).toHaveLength(50)
  await extensions.beforeStart()
  expect(contents(folder)).toEqual(BEFORE)
  await turn(on, off)
})

it('of a jar that tells more than anybody needs only its names are remembered', async () => {
  const folder = await prepared()
  const names = Array.from({ length: 400 }, (_, at) => `library-${at}-${'x'.repeat(100)}`)
  const put = async (name: string, depends: string[]) =>
    writeFileSync(
      path.join(folder, 'servers/plugins', `${name}.jar`),
      await pluginJar({ name, version: '1', depends, provides: depends }),
    )
  await put('Usual', names.slice(0, 20))
  await put('Vast', names)
  const extensions = await openExtensions(folder)
  const list = await extensions.list()
  const needs = list.flatMap(({ facts }) => (facts ? [[facts.name, facts.version, facts.needs.length]] : []))
  expect(needs).toEqual([
    ['Usual', '1', 20],
    ['Vast', '1', 0],
  ])
})

it('one plugin of several that were updated together goes back alone, and the rest can be undone after it', async () => {
  const folder = await temporaryFolder()
  prepare(folder)
  const extensions = await openExtensions(folder)
  const newTrash = extensions.newTrash()
  const update = (jars: Parameters<Parameters<typeof extensions.commit>[0]>[0]) =>
    ['a', 'b'].map((name, item) => {
      const [path, text] = [`plugins/${name}.jar`, `${name}, newer`]
      const at = extensions.work.staged(`${name}.jar`)
      writeFileSync(at, text)
      const { mark, size } = jars.get(path)!
      const stat = lstatSync(at)
      return [
        { from: inServer(path), to: trashed(newTrash()), mark, size, item },
        { from: staged(`${name}.jar`), to: inServer(path), mark: markOf(stat), size: stat.size, item },
      ]
    })
  const items = ['a', 'b'].map((name) => ({ name, from: '1', to: '2' }))
  await extensions.commit(
    (jars) => ({ items, steps: update(jars).flat() }),
    () => undefined,
  )
  await extensions.beforeStart()
  extensions.heard('crashed')
  expect(await extensions.versionBefore('plugins/a.jar')).toBe('1')
  expect(await extensions.versionBefore('plugins/d.jar')).toBeNull()
  await extensions.undoJar('plugins/a.jar', () => undefined)
  expect(contents(folder)).toEqual({ ...BEFORE, 'b.jar': 'b, newer' })
  await extensions.beforeStart()
  extensions.heard('crashed')
  expect(mergedItems(toUndo(extensions.state))).toEqual([{ name: 'b', from: '1', to: '2' }])
  await extensions.undo(() => undefined)
  expect(contents(folder)).toEqual(BEFORE)
  await expect(extensions.undoJar('plugins/a.jar', () => undefined)).rejects.toMatchObject({ status: 409 })
})
