import { expect, it } from 'vitest'
import { levelDat } from '../../../../../tests/fixtures/moved-server.ts'
import { ran } from './recognize.fixture.ts'

const world = (name: string, file = 'level.dat') => ({ [`${name}/${file}`]: levelDat('1.20.4') })
const levelOf = async (settings: string | Buffer, entries: Record<string, Buffer>) =>
  (await ran({ 'server.properties': settings, ...entries })).level

it.each([
  ['there', 'level-name=mine', world('mine'), 'mine'],
  ['there', '', world('world'), 'world'],
  ['there', 'level-name=worlds/mine', world('worlds/mine'), 'worlds/mine'],
  ['there', 'level-name=./mine/', world('mine'), 'mine'],
  ['there', 'level-name=mine', world('mine', 'level.dat_old'), 'mine'],
  ['missing', 'level-name=mine', world('other'), null],
  ['missing', 'level-name=mine ', world('mine'), null],
  ['missing', 'level-name=Mine', { ...world('MINE'), ...world('mine') }, null],
  ['other-form', 'level-name=J\\u00fcrgen', world('Ju\u0308rgen'), 'Ju\u0308rgen'],
  ['other-form', 'level-name=Ju\\u0308rgen', world('J\u00fcrgen'), 'J\u00fcrgen'],
  ['other-form', 'level-name=Mine', world('mine'), 'mine'],
  ['other-form', 'level-name=\\u00c4', { ...world('A\u0308'), ...world('\u00e4') }, 'A\u0308'],
  ['outside', 'level-name=../mine', world('other'), 'other'],
  ['outside', 'level\\-name ../../mine', world('other'), 'other'],
  ['outside', '\\u006cevel-name:/srv/mine', {}, 'world'],
  ['outside', 'level-name=', world('other'), 'other'],
  ['outside', 'level-name=a\\u003ab', world('other'), 'other'],
] as const)('a world that is %s is told as such: %j', async (state, settings, entries, folder) => {
  expect(await levelOf(settings, entries as Record<string, Buffer>)).toMatchObject({ state, folder })
})

it('the name of a world in Latin-1 is found, and its world comes first', async () => {
  const found = await ran({
    'server.properties': Buffer.from('level-name=Welt-\u00dcben\nmotd=\u00a7aHi\n', 'latin1'),
    ...{ ...world('A world'), ...world('Welt-\u00dcben') },
  })
  expect(found).toMatchObject({ level: { state: 'there', folder: 'Welt-\u00dcben' }, motd: '\u00a7aHi' })
  expect(found.worlds?.[0]?.name).toBe('Welt-\u00dcben')
})

it('of a folder without settings no name of a world is told', async () => {
  expect((await ran(world('mine'))).level).toBeNull()
})
