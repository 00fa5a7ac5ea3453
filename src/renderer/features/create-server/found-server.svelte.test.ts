import { expect, it } from 'vitest'
import type { FoundServer } from '../../../contract/bridge/values.ts'
import type { OfferedSoftware } from '../../catalog/software/software-choice.svelte.ts'
import { chosenSoftware, levelNote, offeredFor, warningsFor, wishedFirst } from './found-server.ts'

const paper: OfferedSoftware = {
  ...{ id: 'paper', name: 'Paper' },
  versions: ['1.20.9', '1.20.10', '1.20'].map((id) => ({ id })),
}
const [old, fitting] = ['1.19.4', '1.20.10'].map((version) => ({ name: `paper-${version}.jar`, version }))
const found: FoundServer = {
  software: { id: 'paper', name: 'Paper', version: '1.20.10' },
  ...{ jar: fitting, jars: [fitting!, old!], worlds: [{ name: 'world', version: '1.20.10' }] },
}
const own = (jars: FoundServer) => offeredFor(jars, [paper]).slice(1)

it('each jar that came along can be chosen, and its name goes to the service', () => {
  const offered = own(found)
  expect(offered.map(({ id, versions }) => [id, versions[0]?.id])).toEqual([
    ['custom', '1.20.10'],
    ['custom:paper-1.19.4.jar', '1.19.4'],
  ])
  expect(offered.map((one) => chosenSoftware(one, 'x'))).toEqual([
    { id: 'custom' },
    { id: 'custom', jar: 'paper-1.19.4.jar' },
  ])
  expect(chosenSoftware(paper, '1.20.9')).toEqual({ id: 'paper', version: '1.20.9' })
  // A service that names one alone.
  expect(own({ jar: old }).map(({ id }) => id)).toEqual(['custom'])
})

it('a choice that is older than the world is warned of, by its numbers, also where it is a jar', () => {
  const [, oldJar] = own(found)
  for (const [chosen, version] of [
    [paper, '1.20.9'],
    [paper, '1.20'],
    [oldJar!, '1.19.4'],
  ] as const)
    expect(warningsFor(found, chosen, version)).toEqual([
      `The world was saved by 1.20.10. ${version} is older and may not be able to open it.`,
    ])
  expect(warningsFor(found, paper, '1.20.10')).toEqual([])
  const unsaved = { ...found, worlds: [{ name: 'world', version: null }] }
  expect(warningsFor(unsaved, paper, '1.20.9')).toEqual([
    'The server ran 1.20.10. 1.20.9 is older and may not be able to open its world.',
  ])
})

it('a jar that is older than the world is not chosen first where there is something else', () => {
  const software = { id: 'paper', name: 'Paper', version: '1.20.11' }
  expect(wishedFirst({ ...found, software, jar: old, jars: [old!] }, [paper])).toMatchObject({ id: 'paper' })
  expect(wishedFirst({ ...found, software }, [paper])).toEqual({ id: 'custom' })
  expect(wishedFirst({ ...found, software, jar: old, jars: [old!] }, [])).toEqual({ id: 'custom' })
})

it('what becomes of the world that the settings name is said where it did not come along under that name', () => {
  const note = (level: FoundServer['level']) => levelNote({ ...found, level })
  expect(note({ name: 'world', state: 'there', folder: 'world' })).toBeNull()
  expect(note({ name: 'mine', state: 'missing' })).toMatch(/“mine”, which isn’t among these files/)
  expect(note({ name: 'Jü', state: 'other-form', folder: 'Ju\u0308' })).toMatch(
    /level-name is set to the folder’s name/,
  )
  expect(note({ name: '../x', state: 'outside', folder: 'world' })).toMatch(/“\.\.\/x”.*set to “world”/)
  expect(levelNote({ level: { name: 'mine', state: 'missing' }, worlds: [] })).toBeNull()
})
