import { lstatSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inServer, staged } from '../../../extensions/folder/step.ts'
import { markOf } from '../../changes/steps.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { BEFORE, contents, openExtensions, prepare } from './changes.fixture.ts'
import { toUndo } from '../../../extensions/folder/undo.ts'

it('after a crash at start the last of several changes can be undone alone, then the one before it', async () => {
  const folder = await temporaryFolder()
  prepare(folder)
  const extensions = await openExtensions(folder)
  const add = (name: string) =>
    extensions.commit(
      () => {
        const at = extensions.work.staged(`${name}.jar`)
        writeFileSync(at, name)
        const stat = lstatSync(at)
        const to = inServer(`plugins/${name}.jar`)
        const step = { from: staged(`${name}.jar`), to, mark: markOf(stat), size: stat.size }
        return { items: [{ name, from: null, to: '1' }], steps: [step] }
      },
      () => undefined,
    )
  const crash = async () => {
    await extensions.beforeStart()
    extensions.heard('crashed')
  }
  const next = async () => {
    const newest = toUndo(extensions.state).at(-1)
    return newest && (await extensions.isUndoable([newest])) ? newest.items[0]?.name : null
  }
  for (const name of ['x', 'y', 'z']) await add(name)
  await crash()
  expect(await next()).toBe('z')
  await extensions.undo(() => undefined, 'newest')
  expect(contents(folder)).toEqual({ ...BEFORE, 'x.jar': 'x', 'y.jar': 'y' })
  await crash()
  expect(await next()).toBe('y')
  await extensions.undo(() => undefined, 'newest')
  await crash()
  expect(await next()).toBe('x')
  await extensions.undo(() => undefined)
  expect(contents(folder)).toEqual(BEFORE)
})
