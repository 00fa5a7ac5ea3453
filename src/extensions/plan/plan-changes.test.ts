import { expect, test } from 'vitest'
import { planChanges } from './plan-changes.ts'
import { catalogs, install, there, told, updateAll, version } from './plan.fixture.ts'

test('what is needed, and what that needs, comes first, once, with whom it is for', async () => {
  const plan = await install(
    ['shop', 'bank'],
    catalogs([
      version('shop 1'),
      version('shop 2', { economy: 'required', maps: 'optional', json: 'embedded' }),
      version('bank 1', { economy: 'required' }),
      version('economy 3', { library: 'required' }),
      version('library 1'),
    ]),
  )
  expect(told(plan)).toEqual([
    'add Library to 1 for Economy',
    'add Economy to 3 for Shop+Bank',
    'add Shop to 2',
    'add Bank to 1',
  ])
  expect([plan.total, plan.unreached]).toEqual([40, []])
  expect(plan.steps[0]).toMatchObject({
    change: { project: 'modrinth:library', versionId: 'modrinth:library-1', size: 10 },
    version: { id: 'modrinth:library-1' },
  })
})

test('a circle ends, and one that needs itself does too', async () => {
  const plan = await install(
    ['egg'],
    catalogs([version('egg 1', { hen: 'required', egg: 'required' }), version('hen 1', { egg: 'required' })]),
  )
  expect(told(plan)).toEqual(['add Hen to 1 for Egg', 'add Egg to 1'])
})

test('a chain without end ends, and says of what is not looked up any more that it is missing', async () => {
  const chain = Array.from({ length: 30 }, (_, at) =>
    version(`link${at} 1`, { [`link${at + 1}`]: 'required' }),
  )
  const from = catalogs(chain)
  const lines = told(await install(['link0'], from))
  expect(from.asked.length).toBeLessThan(15)
  expect(lines[0]).toMatch(/^cannot modrinth:link11 unknown for Link10$/)
  expect(lines[1]).toMatch(/^add Link10 to 1 for Link9 ! missing-dependency modrinth:link11$/)
  expect(lines.at(-1)).toBe('add Link0 to 1')
})

test('one that needs everything is given a bounded part of it', async () => {
  const many = Array.from({ length: 300 }, (_, at) => version(`part${at} 1`))
  const needs = Object.fromEntries(many.map(({ project }) => [project.split(':')[1]!, 'required' as const]))
  const { steps } = await install(['all'], catalogs([version('all 1', needs), ...many]))
  expect(steps.filter(({ version: one }) => one !== null)).toHaveLength(201)
})

test('what is there is kept, whether it is known by its hash, by its name or by one that it provides', async () => {
  const plan = await install(
    ['shop'],
    catalogs([
      version('shop 1', { economy: 'required', vault: 'required', core: 'required', off: 'required' }),
      version('economy 9'),
      version('vault 9'),
      version('core 9'),
      version('off 9'),
    ]),
    [
      there('economy 1'),
      there('vault 2', { project: null, versionId: null, name: 'VAULT' }),
      there('suite 3', { project: 'hangar:5', provides: ['Core'] }),
      there('off 1', { enabled: false }),
    ],
  )
  expect(told(plan)).toEqual([
    'keep Economy from 1 for Shop',
    'keep VAULT from 2 for Shop',
    'keep Suite from 3 for Shop',
    'keep Off from 1 disabled for Shop',
    'add Shop to 1 ! missing-dependency Off',
  ])
})

test('what is wanted and there is brought to the version that is wanted, and kept where it is that', async () => {
  const from = catalogs([
    version('shop 1'),
    version('shop 2'),
    version('shop 3', {}, { channel: 'experimental' }),
  ])
  expect(told(await install(['shop'], from, [there('shop 1')]))).toEqual(['update Shop from 1 to 2'])
  expect(told(await install(['shop'], from, [there('shop 2')]))).toEqual(['keep Shop from 2 up-to-date'])
  const [step] = (await install(['shop'], from, [there('shop 2')], 'modrinth:shop-3')).steps
  expect(step?.change).toMatchObject({ action: 'update', extensionId: 'x-Shop', to: '3' })
  // A jar of one's own with the same name cannot run beside it.
  const own = there('shop 0', { project: null, versionId: null })
  expect(told(await install(['shop'], from, [own]))).toEqual(['update Shop from 0 to 2'])
})

test('of what does not fit, is elsewhere, or is gone, the reason is told, and what needs it says so', async () => {
  const manual = version('manual 1', {}, { file: null })
  const plan = await install(
    ['shop'],
    catalogs(
      [version('shop 1', { old: 'required', manual: 'required', '': 'required', gone: 'required' }), manual],
      [version('old 1')],
    ),
  )
  expect(told(plan)).toEqual([
    'cannot Named old none-fits for Shop',
    'cannot Manual to 1 manual for Shop',
    'cannot Elsewhere unknown for Shop',
    'cannot modrinth:gone unknown for Shop',
    'add Shop to 1 ! missing-dependency Named old ! missing-dependency Manual ! missing-dependency Elsewhere ! missing-dependency modrinth:gone',
  ])
  expect(plan.steps[1]!.change.url).toBe('https://page.example/manual')
  expect(told(await install(['old'], catalogs([], [version('old 1')])))).toEqual([
    'cannot Named old none-fits',
  ])
  expect(told(await install(['shop'], catalogs([version('shop 1')]), [], 'modrinth:shop-9'))).toEqual([
    'cannot Shop none-fits',
  ])
})

test('a catalog that cannot be asked for what is needed is told; for what is wanted, the plan is refused', async () => {
  const plan = await install(['shop'], catalogs([version('shop 1', { busy: 'required' })]))
  expect(told(plan)[0]).toBe('cannot modrinth:busy unknown for Shop')
  expect(plan.unreached).toEqual(['modrinth'])
  await expect(install(['busy'], catalogs([]))).rejects.toMatchObject({ status: 503 })
})

test('two that cannot run beside each other say so, whichever of them says it', async () => {
  const from = catalogs([
    version('shop 1', { rival: 'incompatible', 'other 2': 'incompatible', off: 'incompatible' }),
    version('rival 1'),
    version('late 1'),
  ])
  const installed = [there('other 1'), there('off 1', { enabled: false })]
  expect(told(await install(['shop', 'rival'], from, installed))).toEqual([
    'add Shop to 1 ! clash Rival',
    'add Rival to 1',
  ])
  expect(told(await install(['shop'], from, [there('rival 1'), there('other 2')]))).toEqual([
    'add Shop to 1 ! clash Rival ! clash Other',
  ])
  const plan = await updateAll(
    [there('guard 1'), there('late 1')],
    [version('late 2', { guard: 'incompatible' })],
  )
  expect(told(plan)).toEqual([
    'keep Guard from 1 up-to-date',
    'keep Late from 1 to 2 held-back ! clash Guard',
  ])
})

test('what changes says so where it is what is kept that cannot run beside it', async () => {
  const guard = version('guard 1', { late: 'incompatible' })
  const states = new Map([
    ['x-Guard', { current: guard, newest: null }],
    ['x-Late', { current: version('late 1'), newest: version('late 2') }],
  ])
  const plan = await planChanges(
    { kind: 'update all', states, except: new Set(), versions: [] },
    [there('guard 1'), there('late 1')],
    catalogs([]),
  )
  expect(told(plan)).toEqual(['keep Guard from 1 up-to-date', 'update Late from 1 to 2 ! clash Guard'])
})

test('one that is wanted from two catalogs is planned once', async () => {
  const twin = version('shop 5', {}, { project: 'modrinth:twin', id: 'modrinth:twin-5' })
  expect(told(await install(['shop', 'twin', 'shop'], catalogs([version('shop 1'), twin])))).toEqual([
    'add Shop to 1',
    'cannot Shop ! duplicate Shop',
  ])
})

test('a version that is named is taken where it fits; where what is there is older, that is told', async () => {
  const all = [
    version('shop 1', { 'economy 2': 'required' }),
    ...[1, 2, 3].map((at) => version(`economy ${at}`)),
  ]
  const from = catalogs(all)
  expect(told(await install(['shop'], from))[0]).toBe('add Economy to 2 for Shop')
  expect(told(await install(['shop'], from, [there('economy 3')]))[1]).toBe('add Shop to 1')
  expect(told(await install(['shop'], from, [there('economy 1')]))).toEqual([
    'keep Economy from 1 for Shop',
    'add Shop to 1 ! missing-dependency Economy 2',
  ])
})
