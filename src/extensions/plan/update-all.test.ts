import { expect, test } from 'vitest'
import { planChanges } from './plan-changes.ts'
import { catalogs, there, told, updateAll, version } from './plan.fixture.ts'

test('updating all tells of each what is done with it, and why nothing is', async () => {
  const installed = [
    there('shop 1'),
    there('economy 1'),
    there('pinned 1', { pinned: true }),
    there('off 1', { enabled: false }),
    there('own 1', { project: null, versionId: null }),
    there('newest 1'),
    there('manual 1'),
  ]
  const newest = [
    version('shop 2', { economy: 'required', library: 'required' }),
    version('economy 2'),
    version('pinned 2'),
    version('off 2'),
    version('manual 2', {}, { file: null }),
  ]
  const plan = await updateAll(installed, newest, catalogs([version('library 1')]))
  expect(told(plan)).toEqual([
    'update Economy from 1 to 2',
    'add Library to 1 for Shop',
    'update Shop from 1 to 2',
    'keep Pinned from 1 pinned',
    'keep Off from 1 disabled',
    'keep Own from 1 unknown',
    'keep Newest from 1 up-to-date',
    'keep Manual from 1 to 2 manual',
  ])
  expect(plan.total).toBe(30)
  expect(plan).toEqual(await updateAll(installed, newest, catalogs([version('library 1')])))
})

test('what would miss something as an update is kept with all that is only for it, and says why', async () => {
  const installed = [
    there('shop 1'),
    there('bank 1'),
    there('lamp 1'),
    there('old 1'),
    there('off 1', { enabled: false }),
  ]
  const newest = [
    // Its library comes, but cannot run without what nobody has.
    version('shop 2', { library: 'required', common: 'required' }),
    version('bank 2', { common: 'required' }),
    version('lamp 2', { off: 'required' }),
    version('old 2', { gone: 'required' }),
  ]
  const from = catalogs([version('library 1', { gone: 'required' }), version('common 1')])
  const plan = await updateAll(installed, newest, from)
  expect(told(plan)).toEqual([
    'keep Shop from 1 to 2 held-back ! missing-dependency modrinth:gone',
    'add Common to 1 for Bank',
    'update Bank from 1 to 2',
    'keep Lamp from 1 to 2 held-back ! missing-dependency Off',
    'keep Old from 1 to 2 held-back ! missing-dependency modrinth:gone',
    'keep Off from 1 up-to-date',
  ])
  expect(plan.total).toBe(20)
})

test('one that needs another newer than it can be is kept, and so is what needs that', async () => {
  const installed = [there('core 1', { pinned: true }), there('addon 1'), there('extra 1')]
  const newest = [
    version('core 3'),
    version('addon 2', { 'core 3': 'required' }),
    version('extra 3', { 'addon 2': 'required' }),
  ]
  const from = catalogs([version('core 3'), version('addon 2')])
  expect(told(await updateAll(installed, newest, from))).toEqual([
    'keep Core from 1 pinned',
    'keep Addon from 1 to 2 held-back ! missing-dependency Core 3',
    'keep Extra from 1 to 3 held-back ! missing-dependency Addon 2',
  ])
})

test('what misses the same now just as well is updated', async () => {
  const states = new Map([
    [
      'x-Shop',
      { current: version('shop 1', { gone: 'required' }), newest: version('shop 2', { gone: 'required' }) },
    ],
  ])
  const wish = { kind: 'update all' as const, states, except: new Set<string>(), versions: [] }
  expect(told(await planChanges(wish, [there('shop 1')], catalogs([])))).toEqual([
    'cannot modrinth:gone unknown for Shop',
    'update Shop from 1 to 2 ! missing-dependency modrinth:gone',
  ])
})

test('of all updates some can be left out, and others had in another version that fits', async () => {
  const installed = [there('shop 1'), there('bank 1'), there('lamp 1')]
  const newest = [version('shop 3', { library: 'required' }), version('bank 3'), version('lamp 2')]
  const all = [version('shop 2'), ...newest, version('library 1'), version('bank 2'), version('bank 1')]
  const from = catalogs(all, [version('lamp 9')])
  const plan = (except: string[], versions: string[]) =>
    updateAll(installed, newest, from, { except: new Set(except), versions })
  expect(told(await plan(['x-Bank'], ['modrinth:shop-2', 'modrinth:lamp-9', 'modrinth:gone-1']))).toEqual([
    'update Shop from 1 to 2',
    'keep Bank from 1 to 3 not-chosen',
    'update Lamp from 1 to 2',
  ])
  expect(told(await plan(['x-Shop'], ['modrinth:bank-1']))).toEqual([
    'keep Shop from 1 to 3 not-chosen',
    'keep Bank from 1 up-to-date',
    'update Lamp from 1 to 2',
  ])
})
