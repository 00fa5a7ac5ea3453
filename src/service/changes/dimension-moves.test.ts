import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { offerVanilla } from '../../../tests/doubles/catalogs/catalog-answers.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { ServerFiles } from '../files/server-files.ts'
import { dimensionMoves, moveDimensions, movesDimensions } from './dimension-moves.ts'
import { NEW, OLD, openPaper } from './server-changes.fixture.ts'

const PAPER = { dimensions: 'beside' } as const
const FABRIC = { dimensions: 'within' } as const
const UNKNOWN = {}

/** A server's folder with these files, and what its worlds hold after software has taken the place of another one. */
function serverWith(...names: string[]) {
  const folder = temporary()
  const at = (...parts: string[]) => path.join(folder, ...parts)
  for (const name of ['world/level.dat', ...names]) {
    mkdirSync(path.dirname(at('root', name)), { recursive: true })
    writeFileSync(at('root', name), name)
  }
  const limits = { maxFileBytes: null, quotaBytes: null, running: () => false }
  const files = new ServerFiles({ serverId: 's', root: at('root'), staging: at('staging'), trash: at('trash'), ...limits }) // prettier-ignore
  return {
    files,
    at: (name: string) => at('root', name),
    /** Where each file has come to, by where it was. */
    after(from: object, to: object, level = 'world') {
      const said = movesDimensions(files, level, from, to)
      const moves = dimensionMoves(files, level, from, to)
      moveDimensions(files, moves)
      // What a killed process did already is not done twice.
      moveDimensions(files, moves)
      const entries = readdirSync(at('root'), { recursive: true, withFileTypes: true })
      const now = entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(at('root'), path.join(entry.parentPath, entry.name)))
        .map((name) => [readFileSync(at('root', name), 'utf8'), name])
        .filter(([was, name]) => was !== name)
      return { said, moved: Object.fromEntries(now) as Record<string, string> }
    },
  }
}

const NETHER = 'world_nether/DIM-1/region/r.0.0.mca'
const END = 'world_the_end/DIM1/region/r.0.0.mca'

it('from Paper to Fabric, the Nether and the End come into the folder of the world', () => {
  const { after } = serverWith(NETHER, 'world_nether/level.dat', END)
  expect(after(PAPER, FABRIC)).toEqual({
    said: true,
    moved: { [NETHER]: 'world/DIM-1/region/r.0.0.mca', [END]: 'world/DIM1/region/r.0.0.mca' },
  })
})

it('back to Paper they come beside it again, where their own folders still are', () => {
  const { after } = serverWith('world/DIM-1/region/r.0.0.mca', 'world_nether/level.dat')
  expect(after(FABRIC, PAPER)).toEqual({
    said: true,
    moved: { 'world/DIM-1/region/r.0.0.mca': NETHER },
  })
})

it('where Paper has no folders of them yet, it moves them itself, which is said all the same', () => {
  const { after } = serverWith('world/DIM-1/region/r.0.0.mca')
  expect(after(FABRIC, PAPER)).toEqual({ said: true, moved: {} })
})

it('an older Nether in the place of the one that is played in is kept under another name', () => {
  const { after } = serverWith(NETHER, 'world/DIM-1/region/old.mca', 'world/DIM-1-unused/region/oldest.mca')
  expect(after(PAPER, FABRIC).moved).toEqual({
    [NETHER]: 'world/DIM-1/region/r.0.0.mca',
    'world/DIM-1/region/old.mca': 'world/DIM-1-unused-2/region/old.mca',
  })
})

it('an older Nether beside the world is not what Paper finds', () => {
  const within = 'world/DIM-1/region/r.0.0.mca'
  const older = serverWith(within, NETHER, 'world_nether/level.dat')
  expect(older.after(FABRIC, PAPER).moved).toEqual({
    [within]: NETHER,
    [NETHER]: 'world_nether/DIM-1-unused/region/r.0.0.mca',
  })
  // Without this, it says that it cannot read it, and ends.
  const halved = serverWith(within, NETHER)
  expect(halved.after(FABRIC, PAPER).moved).toEqual({
    [NETHER]: 'world_nether-unused/DIM-1/region/r.0.0.mca',
  })
  // From 26.1 on it lies within for all.
  const newer = serverWith('world/dimensions/minecraft/the_nether/region/r.0.0.mca', 'world_nether/level.dat')
  expect(newer.after(FABRIC, PAPER).moved).toEqual({
    'world_nether/level.dat': 'world_nether-unused/level.dat',
  })
})

const MOON = 'world_pack_moon/dimensions/pack/moon/region/r.0.0.mca'
const MOON_WITHIN = 'world/dimensions/pack/moon/region/r.0.0.mca'

it('from Paper to Fabric, the dimensions of datapacks come into the folder of the world too', () => {
  const { after } = serverWith(
    ...[MOON, 'world_pack_moon/level.dat', 'world_pack_two_parts/dimensions/pack/two_parts/region/a.mca'],
    // A world of a plugin, one that is called otherwise, and one of another world.
    ...['world_pack_sun/region/r.0.0.mca', 'world_pack_sun/dimensions/pack/star/a.mca'],
    ...['world_pack_x/dimensions/minecraft/overworld/a.mca', 'other_pack_moon/dimensions/pack/moon/a.mca'],
  )
  expect(after(PAPER, FABRIC)).toEqual({
    said: true,
    moved: {
      [MOON]: MOON_WITHIN,
      'world_pack_two_parts/dimensions/pack/two_parts/region/a.mca':
        'world/dimensions/pack/two_parts/region/a.mca',
    },
  })
})

it('an older one within the world is kept under another name, and back at Paper it is where that looks for it', () => {
  const older = 'world/dimensions/pack/moon/region/old.mca'
  const { after } = serverWith(MOON, 'world_pack_moon/level.dat', older)
  expect(after(PAPER, FABRIC).moved).toEqual({
    [MOON]: MOON_WITHIN,
    [older]: 'world/dimensions/pack/moon-unused/region/old.mca',
  })
  expect(after(FABRIC, PAPER).moved).toEqual({ [older]: 'world/dimensions/pack/moon-unused/region/old.mca' })
})

it('a dimension of a datapack that stayed beside the world is left where Paper looks for it', () => {
  const { after } = serverWith(MOON, 'world_pack_moon/level.dat')
  expect(after(FABRIC, PAPER)).toEqual({ said: false, moved: {} })
})

it('the dimensions of datapacks of a world in a folder lie beside that', () => {
  const moon = 'dimensions/pack/moon/region/a.mca'
  const { after } = serverWith('worlds/mine/level.dat', `worlds/mine_pack_moon/${moon}`, MOON)
  expect(after(PAPER, FABRIC, 'worlds/mine').moved).toEqual({
    [`worlds/mine_pack_moon/${moon}`]: `worlds/mine/${moon}`,
  })
})

it('what is alike is left alone', () => {
  const { after } = serverWith(NETHER, 'world/DIM-1/region/r.0.0.mca')
  for (const both of [PAPER, FABRIC, UNKNOWN]) expect(after(both, both)).toEqual({ said: false, moved: {} })
  expect(after(PAPER, UNKNOWN)).toEqual({ said: false, moved: {} })
  // Which of two is played in nobody can say.
  expect(after(UNKNOWN, FABRIC)).toEqual({ said: false, moved: {} })
})

it('where nobody knows what ran before, and only one is there, it is that', () => {
  const { after } = serverWith(NETHER)
  expect(after(UNKNOWN, FABRIC).moved).toEqual({ [NETHER]: 'world/DIM-1/region/r.0.0.mca' })
})

it('the name of the world decides, also in a folder; one that leads elsewhere moves nothing', () => {
  const { after, at, files } = serverWith('worlds/mine/level.dat', 'worlds/mine_nether/DIM-1/a.mca', NETHER)
  expect(after(PAPER, FABRIC, 'worlds/mine').moved).toEqual({
    'worlds/mine_nether/DIM-1/a.mca': 'worlds/mine/DIM-1/a.mca',
  })
  expect(dimensionMoves(files, '../world', PAPER, FABRIC)).toEqual([])
  const elsewhere = temporary()
  mkdirSync(path.join(elsewhere, 'DIM1'))
  symlinkSync(elsewhere, at('world_the_end'))
  expect(dimensionMoves(files, 'world', PAPER, FABRIC).map(({ from }) => from)).toEqual([
    'world_nether/DIM-1',
  ])
})

it('a server that is changed from Paper to Vanilla keeps its Nether, says so before, and goes back with one step', async () => {
  const { catalogs, put, plan, change, reaches, said, all, ask, id } = await openPaper()
  const jar = await readFile(await javaServerJar({ kind: 'vanilla', version: OLD }))
  offerVanilla(catalogs, [{ id: OLD, java: 17, jar }])
  await put('server.properties', 'level-name=mine\n')
  await put('mine/level.dat', 'a level')
  await put('mine_nether/DIM-1/region/r.0.0.mca', 'nether')
  await put('mine_nether/level.dat', 'its level')
  const before = await all()
  expect((await plan('vanilla', OLD)).items).toContainEqual({ kind: 'dimensions-move' })
  expect((await change({ id: 'vanilla', version: OLD })).status).toBe(202)
  await reaches('offline')
  expect((await said()).slice(-2)).toEqual([
    'The folder mine_nether/DIM-1 of the world is mine/DIM-1 now.',
    `The software is Vanilla ${OLD} now.`,
  ])
  expect(Object.keys(await all())).toContain('mine/DIM-1/region/r.0.0.mca')
  await ask(`POST /servers/software/undo/${id}`)
  expect(await all()).toEqual(before)
})

it('a change to a version that cannot open the world puts it aside where asked, and one step brings it back', async () => {
  const { put, plan, change, reaches, said, all, ask, id } = await openPaper()
  await put('world/level.dat', 'a level')
  await put('world_nether/level.dat', 'its level')
  await put('world-unused/level.dat', 'put aside before')
  const before = await all()
  expect(await plan('paper', NEW)).toMatchObject({ takesNewWorld: true })
  expect((await change({ id: 'paper', version: NEW, newWorld: true })).status).toBe(202)
  await reaches('offline')
  expect((await said()).slice(-3)).toEqual([
    'The world world is kept as world-unused-2.',
    'The world world_nether is kept as world_nether-unused.',
    `The software is Paper ${NEW} now.`,
  ])
  const after = await all()
  expect(after['world-unused-2/level.dat']).toEqual(before['world/level.dat'])
  expect(Object.keys(after).filter((name) => /^world(?:_nether)?\//.test(name))).toEqual([])
  await ask(`POST /servers/software/undo/${id}`)
  expect(await all()).toEqual(before)
})

it('a process that was killed before the Nether was moved moves it at its next start', async () => {
  const { catalogs, put, change, reaches, all, at, copies, restart } = await openPaper()
  const jar = await readFile(await javaServerJar({ kind: 'vanilla', version: OLD }))
  offerVanilla(catalogs, [{ id: OLD, java: 17, jar }])
  await put(NETHER, 'nether')
  await change({ id: 'vanilla', version: OLD })
  await reaches('offline')
  const after = await all()
  await restart(async () => {
    const [copy] = JSON.parse(await readFile(path.join(copies, 'current.json'), 'utf8'))
    const moves = [{ from: 'world_nether/DIM-1', to: 'world/DIM-1' }]
    const journal = { kind: 'change', copy, to: { id: 'vanilla', version: OLD }, moves }
    await writeFile(path.join(copies, 'journal.json'), JSON.stringify(journal))
    await rename(at('world/DIM-1'), at('world_nether/DIM-1'))
  })
  expect(await all()).toEqual(after)
  expect(Object.keys(after)).toContain('world/DIM-1/region/r.0.0.mca')
})
